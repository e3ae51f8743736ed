import { Copy } from "@medusajs/ui"

import { Card, Rows } from "./cards"
import type { ShownTransaction } from "../lib/api"
import { useFormat } from "../lib/format"
import { LinkTo } from "./link-to"

/** The sums, moments and ids of a payment. */
export const TransactionDetails = ({ transaction }: { transaction: ShownTransaction }) => {
  const { t } = useFormat()
  return (
    <Card title={t("details.title")}>
      <SumsAndMoments transaction={transaction} />
      <Rows
        of={[
          [t("fields.description"), transaction.description],
          [t("fields.transaction_id"), <Id key="id" value={transaction.transaction_id} />],
          [t("fields.reference"), <Id key="reference" value={transaction.id} />],
          [t("fields.session"), <Id key="session" value={transaction.session_id} />],
          [t("fields.account"), transaction.account],
          [t("fields.merchant"), <Id key="merchant" value={transaction.merchant_id} />],
        ]}
      />
    </Card>
  )
}

/** The sums of a payment, its status at the service, and its moments. */
export const SumsAndMoments = ({ transaction }: { transaction: ShownTransaction }) => {
  const { t, money, moment, number, usdt, word } = useFormat()
  const { currency, exception } = transaction
  const moments = ["opened_at", "expires_at", "paid_at", "settled_at", "handled_at"] as const
  const rows = [
    ["asked", money(transaction.amount, currency)],
    ["read", money(transaction.read_amount, transaction.read_currency)],
    ["accepted", transaction.accepted_amount && money(transaction.accepted_amount, currency)],
    ["amount_usdt", transaction.amount_usdt && usdt(transaction.amount_usdt)],
    ["usdt_rate", transaction.usdt_rate && number(Number(transaction.usdt_rate), 6)],
    ["commission", transaction.commission && money(transaction.commission, currency)],
    ["commission_usdt", transaction.commission_usdt && usdt(transaction.commission_usdt)],
    ["status", transaction.status ?? "–"],
    ["exception", exception && word("exceptions", exception)],
    ...moments.map((name) => [name, transaction[name] && moment(transaction[name])] as const),
  ] as const
  return <Rows of={rows.map(([name, value]) => [t(`fields.${name}`), value] as const)} />
}

/** An id that can be copied, and with an address leads there. */
export const Id = ({ value, to = null }: { value: string | null; to?: string | null }) =>
  value === null ? (
    <>–</>
  ) : (
    <span className="flex min-w-0 items-center gap-x-1">
      <span className="break-all font-mono">
        <LinkTo to={to}>{value}</LinkTo>
      </span>
      <Copy content={value} className="text-ui-fg-muted shrink-0" />
    </span>
  )
