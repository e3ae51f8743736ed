import { Text } from "@medusajs/ui"

import { Card, Rows } from "./cards"
import type { ShownTransaction, TransactionAnswer } from "../lib/api"
import { useFormat } from "../lib/format"
import { Id } from "./transaction-details"
import { LinkTo, OrderLink } from "./link-to"
import { PaymentQr } from "./payment-qr"

/** Links to the order and the customer of a payment, and the payment page and QR. */
export const TransactionLinks = ({ transaction }: Pick<TransactionAnswer, "transaction">) => {
  const { t } = useFormat()
  const { order_id, order_number, cart_id, customer_id, customer_email } = transaction
  return (
    <Card title={t("links.title")}>
      <Rows
        of={[
          [t("fields.order"), order_id ? <OrderLink id={order_id} number={order_number} /> : "–"],
          [
            t("fields.customer"),
            <LinkTo key="customer" to={customer_id && `/customers/${customer_id}`}>
              {customer_email ?? customer_id ?? t("links.guest")}
            </LinkTo>,
          ],
          [t("fields.cart"), <Id key="cart" value={cart_id} />],
        ]}
      />
      <ToPay transaction={transaction} />
    </Card>
  )
}

/** Address and QR to pay, for the customer; nothing once they no longer lead to a payment. */
export const ToPay = ({ transaction }: { transaction: ShownTransaction }) => {
  const { t } = useFormat()
  const { redirect, qr, standing, expires_at: expiresAt } = transaction
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  const texts = [qr?.trim(), redirect].filter((text) => !!text) as string[]
  if (standing !== "payable" || isOver || !texts.length) return null
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <Text size="small" weight="plus" leading="compact">
        {t("links.toPay")}
      </Text>
      {redirect && <Id value={redirect} />}
      <PaymentQr texts={texts} />
    </div>
  )
}
