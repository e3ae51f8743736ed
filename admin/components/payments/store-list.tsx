import { Text } from "@medusajs/ui"
import { useMemo, useState } from "react"
import { useSearchParams } from "react-router-dom"

import { codesIn, datesIn, filtersIn, isUuid, MOST_COUNTED, pageIn } from "../../lib/address"
import type { TransactionOfList, TransactionsAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { useAccountFilter } from "../accounts"
import { Subtle } from "../cards"
import { ActionLink, CustomerCell, RowLink } from "../link-to"
import {
  asChoices,
  columnsOf,
  ListTable,
  severalOf,
  Truncated,
  useDateFilter,
  useList,
  useSearched,
} from "../list-table"
import { StandingBadge } from "./verdict"

const SEVERAL = ["state", "standing", "exception", "status", "method", "account"]

/** The list's filters, in the form of the routes, for the list and its export. */
export function useStoreFilters() {
  const [params] = useSearchParams()
  const [q] = useSearched()
  const paid = datesIn(params.get("paid_at"))
  return {
    ...filtersIn(params, SEVERAL),
    ...(q ? { q } : {}),
    ...datesIn(params.get("opened_at")),
    ...(paid.from ? { paid_from: paid.from } : {}),
    ...(paid.to ? { paid_to: paid.to } : {}),
  }
}

export const StoreTransactions = () => {
  const { t, number } = useFormat()
  const [params] = useSearchParams()
  const [q] = useSearched()
  const asked = useStoreFilters()
  // A list of payments in a paid period begins with the last paid, unless the reader sorts it.
  const isPaidPeriod = asked.paid_from !== undefined || asked.paid_to !== undefined
  const order = params.get("order") ?? (isPaidPeriod ? "-paid_at" : null)
  const query = { ...asked, ...pageIn(params, order) }
  const answer = useList<TransactionsAnswer>("transactions", query)
  const { data } = answer
  const columns = useColumns()
  const filters = useFilters()
  return (
    <div className="divide-y">
      {/* Beside the table's own heading, a phone has no room for the search. */}
      <Subtle className="px-6 py-3">
        {data && data.count >= MOST_COUNTED
          ? t("transactions.manyOfStore", { number: number(MOST_COUNTED) })
          : t("transactions.ofStore")}
      </Subtle>
      <ListTable
        answer={answer}
        rows={data?.transactions}
        columns={columns}
        filters={filters}
        pageOf={pageOf}
        empty="transactions.empty"
        filtered={nothingFound(q)}
      />
    </div>
  )
}

/** The text of a list in which nothing was found. Where an id was looked for, the service may know it. */
export function nothingFound(searched: string) {
  const id = searched.trim()
  return isUuid(id) ? { custom: <AskForId id={id} /> } : "transactions.filtered"
}

const AskForId = ({ id }: { id: string }) => {
  const { t } = useFormat()
  return (
    <div className="flex flex-col items-center gap-y-3 px-6 py-16 text-center">
      <Text weight="plus">{t("transactions.filtered.heading")}</Text>
      <Subtle className="max-w-prose">{t("transactions.filtered.id")}</Subtle>
      <ActionLink to={`/payment-service/records/${id}`}>
        {t("transactions.filtered.ask")}
      </ActionLink>
    </div>
  )
}

const pageOf = ({ id }: { id: string }) => `/payment-service/transactions/${id}`

function useColumns() {
  const { t, sumOf, moment, word } = useFormat()
  return useMemo(() => {
    const column = columnsOf<TransactionOfList>(t)
    return [
      column("opened_at", { header: "fields.opened_at", sorted: "time" }, (payment) => (
        <RowLink to={pageOf(payment)}>{moment(payment.opened_at, "short")}</RowLink>
      )),
      column("standing", "fields.standing", (payment) => <StandingBadge {...payment} />),
      column("amount", { header: "fields.amount", sorted: "sum", align: "right" }, sumOf),
      column("method", "fields.method", ({ method }) => word("methods", method)),
      column("order_number", "fields.order", ({ order_number: number }) =>
        number === null ? "–" : `#${number}`
      ),
      column("customer", { header: "fields.customer", maxSize: 130 }, ({ customer, ...of }) => (
        <CustomerCell id={of.customer_id} {...customer} />
      )),
      column("exception", { header: "fields.exception", maxSize: 150 }, ({ exception, status }) => {
        // A status that no option names is shown itself.
        const text =
          exception === "unknown_status"
            ? t("transactions.statusNamed", { status })
            : word("exceptions", exception)
        return <Truncated title={text}>{text}</Truncated>
      }),
      column("paid_at", { header: "fields.paid_at", sorted: "time" }, ({ paid_at }) =>
        moment(paid_at, "short")
      ),
    ]
  }, [t, sumOf, moment, word])
}

function useFilters() {
  const { t, choices } = useFormat()
  const [params] = useSearchParams()
  const byDate = useDateFilter()
  const byAccount = useAccountFilter()
  // Medusa's bar breaks when a filter that it still shows is none of the table's any more.
  const [shown] = useState(() => new Set<string>())
  // Links to what the overview or the connection counts have finer filters, which are shown where they are set.
  const finer = [
    severalOf("state", t("fields.state"), choices("states")),
    severalOf("exception", t("fields.exception"), choices("exceptions")),
    severalOf("status", t("fields.status"), asChoices(codesIn(params.get("status")) ?? [])),
  ].filter(({ id }) => {
    if (params.has(id)) shown.add(id)
    return shown.has(id)
  })
  return [
    severalOf("standing", t("fields.standing"), choices("standings")),
    ...finer,
    severalOf("method", t("fields.method"), choices("methods")),
    ...byAccount,
    ...byDate("opened_at", t("fields.opened_at")),
    ...byDate("paid_at", t("fields.paid_at")),
  ]
}
