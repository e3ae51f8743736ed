import { paymentInfoMap } from "@lib/constants"
import { convertToLocale } from "@lib/util/money"
import { HttpTypes } from "@medusajs/types"

type PaymentDetailsProps = {
  order: HttpTypes.StoreOrder
}

const PaymentDetails = ({ order }: PaymentDetailsProps) => {
  const payment = order.payment_collections?.[0].payments?.[0]

  return (
    payment && (
      <p>
        <span data-testid="payment-method">
          {paymentInfoMap[payment.provider_id]?.title}
        </span>
        {paymentInfoMap[payment.provider_id]?.icon}
        <span data-testid="payment-amount">
          {convertToLocale({
            amount: payment.amount,
            currency_code: order.currency_code,
          })}
        </span>
      </p>
    )
  )
}

export default PaymentDetails
