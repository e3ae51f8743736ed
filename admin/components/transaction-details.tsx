import { SectionRow } from "@medusajs/dashboard/components"
import { Copy } from "@medusajs/ui"

import { Card } from "./cards"
import type { ShownTransaction } from "../lib/api"
import { useFormat } from "../lib/format"
import { LinkTo } from "./link-to"

/** The sums, moments and ids of a payment. */
export const TransactionDetails = ({ transaction }: { transaction: ShownTransaction }) => {
  const { t } = useFormat()
  return (
    <Card title={t("details.title")}>
      <SumsAndMoments transaction={transaction} />
      {transaction.description && (
        <SectionRow title={t("fields.description")} value={transaction.description} />
      )}
      <SectionRow
        title={t("fields.transaction_id")}
        value={<Id value={transaction.transaction_id} />}
      />
      <SectionRow title={t("fields.reference")} value={<Id value={transaction.id} />} />
      <SectionRow title={t("fields.session")} value={<Id value={transaction.session_id} />} />
      <SectionRow title={t("fields.account")} value={transaction.account} />
      <SectionRow title={t("fields.merchant")} value={<Id value={transaction.merchant_id} />} />
    </Card>
  )
}

/** The sums of a payment, its status at the service, and its moments. */
export const SumsAndMoments = ({ transaction }: { transaction: ShownTransaction }) => {
  const { t, money, moment, number, usdt, word } = useFormat()
  const { currency } = transaction
  const sums = [
    ["asked", money(transaction.amount, currency)],
    ["read", money(transaction.read_amount, transaction.read_currency)],
    ["accepted", transaction.accepted_amount && money(transaction.accepted_amount, currency)],
    ["amount_usdt", transaction.amount_usdt && usdt(transaction.amount_usdt)],
    ["usdt_rate", transaction.usdt_rate && number(Number(transaction.usdt_rate), 6)],
    ["commission", transaction.commission && money(transaction.commission, currency)],
    ["commission_usdt", transaction.commission_usdt && usdt(transaction.commission_usdt)],
  ] as const
  const moments = ["opened_at", "expires_at", "paid_at", "settled_at", "handled_at"] as const
  return (
    <>
      {sums.map(([name, value]) =>
        value === null || value === "" ? null : (
          <SectionRow key={name} title={t(`fields.${name}`)} value={value} />
        )
      )}
      <SectionRow title={t("fields.status")} value={transaction.status ?? "–"} />
      {transaction.exception && (
        <SectionRow
          title={t("fields.exception")}
          value={word("exceptions", transaction.exception)}
        />
      )}
      {moments.map((name) =>
        transaction[name] === null ? null : (
          <SectionRow key={name} title={t(`fields.${name}`)} value={moment(transaction[name])} />
        )
      )}
    </>
  )
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
