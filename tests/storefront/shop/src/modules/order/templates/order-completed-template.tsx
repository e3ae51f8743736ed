import { reader } from "@lib/constants"
import { HttpTypes } from "@medusajs/types"
import { PaymentLinkPanel } from "medusa-payment-sbp-crypto-storefront"
import OrderDetails from "@modules/order/components/order-details"
import PaymentDetails from "@modules/order/components/payment-details"

type OrderCompletedTemplateProps = {
  order: HttpTypes.StoreOrder
}

export default async function OrderCompletedTemplate({
  order,
}: OrderCompletedTemplateProps) {
  const unpaid = order.payment_collections?.find(
    ({ status }) => status === "not_paid" || status === "awaiting"
  )

  return (
    <div data-testid="order-complete-container">
      <h1>
        <span>Thank you!</span>
        <span>Your order was placed successfully.</span>
      </h1>
      {unpaid && <PaymentLinkPanel collectionId={unpaid.id} reader={reader} />}
      <OrderDetails order={order} />
      <PaymentDetails order={order} />
    </div>
  )
}
