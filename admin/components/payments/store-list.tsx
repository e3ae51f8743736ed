import { Text } from "@medusajs/ui"
import { useState } from "react"
import { useSearchParams } from "react-router-dom"

import { codesIn, datesIn, filtersIn, isUuid, MOST_COUNTED, pageIn } from "../../lib/address"
import { useFormat } from "../../lib/format"
import { Subtle } from "../cards"
import { ActionLink, CustomerCell, RowLink } from "../link-to"
import {
  ListTable,
  Truncated,
  useAccountsToChoose,
  useFilters,
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
  const { t, choices, number, sumOf, moment, word } = useFormat()
  const [params] = useSearchParams()
  const [q] = useSearched()
  const asked = useStoreFilters()
  // A list of payments in a paid period begins with the last paid, unless the reader sorts it.
  const isPaidPeriod = asked.paid_from !== undefined || asked.paid_to !== undefined
  const query = { ...asked, ...pageIn(params, isPaidPeriod ? "-paid_at" : undefined) }
  const answer = useList("transactions", query)
  const { data } = answer
  const accounts = useAccountsToChoose()
  const { several, dates } = useFilters()
  // Medusa's bar breaks when a filter that it still shows is none of the table's any more.
  const [shown] = useState(() => new Set<string>())
  // Links to what the overview or the connection counts have finer filters, which are shown where they are set.
  const finer = [
    several("state", "fields.state", choices("states")),
    several("exception", "fields.exception", choices("exceptions")),
    several("status", "fields.status", codesIn(params.get("status")) ?? []),
  ].filter(({ id }) => {
    if (params.has(id)) shown.add(id)
    return shown.has(id)
  })
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
        columns={(column) => [
          column("opened_at", { header: "fields.opened_at", sorted: "time" }, (payment) => (
            <RowLink to={pageOf(payment)}>{moment(payment.opened_at, "short")}</RowLink>
          )),
          column("standing", "fields.standing", (payment) => <StandingBadge {...payment} />),
          column("amount", { header: "fields.amount", sorted: "sum", align: "right" }, sumOf),
          column("method", "fields.method", ({ method }) => word("methods", method)),
          column("order_number", "fields.order", ({ order_number: order }) =>
            order === null ? "–" : `#${order}`
          ),
          column("customer", { header: "fields.customer", maxSize: 130 }, (payment) => (
            <CustomerCell id={payment.customer_id} {...payment.customer} />
          )),
          column("exception", { header: "fields.exception", maxSize: 150 }, (payment) => {
            const { exception, status } = payment
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
        ]}
        filters={[
          several("standing", "fields.standing", choices("standings")),
          ...finer,
          several("method", "fields.method", choices("methods")),
          accounts.length > 0 && several("account", "fields.account", accounts),
          ...dates("opened_at", "fields.opened_at"),
          ...dates("paid_at", "fields.paid_at"),
        ]}
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
