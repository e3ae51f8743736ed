import { reader } from "@lib/constants"
import { retrieveCart } from "@lib/data/cart"
import { listCartPaymentMethods } from "@lib/data/payment"
import Addresses from "@modules/checkout/components/addresses"
import Payment from "@modules/checkout/components/payment"
import PaymentButton from "@modules/checkout/components/payment-button"
import {
  OpenPaymentLine,
  openSession,
} from "medusa-payment-sbp-crypto-storefront"
import { notFound } from "next/navigation"

export default async function Checkout({
  searchParams,
}: {
  searchParams: Promise<{ step?: string }>
}) {
  const { step } = await searchParams
  const cart = await retrieveCart()

  if (!cart) {
    return notFound()
  }

  const methods = await listCartPaymentMethods(cart.region?.id ?? "")

  return (
    <>
      <OpenPaymentLine
        sessionId={openSession(cart)?.id ?? null}
        collectionId={cart.payment_collection?.id}
        reader={reader}
        href="pay?session={session_id}"
        orderPage="order/{order_id}/confirmed"
      >
        {!step && <Addresses />}
        {step === "payment" && (
          <Payment cart={cart} availablePaymentMethods={methods ?? []} />
        )}
        {step === "review" && (
          <PaymentButton cart={cart} data-testid="submit-order-button" />
        )}
      </OpenPaymentLine>
    </>
  )
}
