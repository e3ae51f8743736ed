"use client"

import { reader } from "@lib/constants"
import { forgetCompletedCart } from "@lib/data/cart"
import { PaymentPanel } from "medusa-payment-sbp-crypto/storefront"
import { useRouter, useSearchParams } from "next/navigation"

export default function PayPage() {
  const router = useRouter()
  const query = useSearchParams()
  const showOrder = (id: string) => router.push(`order/${id}/confirmed`)

  return (
    <div className="content-container max-w-2xl py-12">
      <title>Payment</title>
      <PaymentPanel
        heading={1}
        sessionId={query.get("session") ?? ""}
        returned={query.has("returned")}
        reader={reader}
        changeMethod="checkout?step=payment"
        onSession={(id) => router.replace(`pay?session=${id}`)}
        onPaid={(id) => forgetCompletedCart().finally(() => showOrder(id))}
      />
    </div>
  )
}
