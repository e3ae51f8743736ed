import { reader } from "@lib/constants"
import { PaymentPanel } from "medusa-payment-sbp-crypto-storefront"

export const metadata = { title: "Payment" }

export default function PayPage() {
  return (
    <PaymentPanel
      reader={reader}
      changeMethod="checkout?step=payment"
      orderPage="order/{order_id}/confirmed"
      contact={<a href="mailto:help@shop.example">help@shop.example</a>}
      shopPage="."
    />
  )
}
