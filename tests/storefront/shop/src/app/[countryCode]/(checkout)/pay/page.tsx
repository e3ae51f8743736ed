"use client"

import { reader } from "@lib/constants"
import { forgetCompletedCart } from "@lib/data/cart"
import { PaymentPanel } from "medusa-payment-sbp-crypto/storefront"
import { useParams, useRouter, useSearchParams } from "next/navigation"

export default function PayPage() {
  const router = useRouter()
  const { countryCode } = useParams()
  const query = useSearchParams()

  const showOrder = async (orderId: string) => {
    await forgetCompletedCart()
    router.push(`/${countryCode}/order/${orderId}/confirmed`)
  }

  return (
    <div className="content-container max-w-2xl py-12">
      <PaymentPanel
        sessionId={query.get("session") ?? ""}
        returned={query.has("returned")}
        reader={reader}
        changeMethod={`/${countryCode}/checkout?step=payment`}
        onPaid={showOrder}
        onSession={(id) => router.replace(`?session=${id}`)}
      />
    </div>
  )
}
