import { useDataTableDateFilters, useQueryParams } from "@medusajs/dashboard/hooks"
import { createDataTableColumnHelper, Text } from "@medusajs/ui"
import { useMemo } from "react"

import exportTexts from "../../src/exports/texts.en.json"
import { nothingFound } from "./ask-for-id"
import type { TransactionOfList } from "../lib/api"
import { useFormat } from "../lib/format"
import { datesOf, severalOf, typed, useAccountFilter } from "../lib/list-filters"
import { codesIn, datesIn } from "../lib/address-filters"
import { MOST_COUNTED, pageAt } from "../lib/lists"
import { useConnection } from "../lib/overview-queries"
import { useTransactions } from "../lib/queries"
import { LinkTo, RowLink } from "./link-to"
import { LastCounted, ListTable, sortedBy } from "./list-table"
import { StandingBadge } from "./standing"

const STATES = ["pending", "paid", "canceled", "expired", "creating", "unknown", "refused"]
const EXCEPTIONS = [
  "amount_less",
  "amount_more",
  "currency_differs",
  "merchant_differs",
  "reference_differs",
  "unknown_status",
  "reversed",
  "changed_since_handled",
  "session_gone",
  "session_differs",
  "cart_changed",
  "order_canceled",
  "payment_canceled",
  "paid_twice",
  "completion_failed",
]
const STANDINGS = ["payable", "waiting_for_medusa"]
const METHODS = Object.keys(exportTexts.methods)

/** The address bar's filters in the form of the routes. */
export function queryOf(params: Record<string, string | undefined>) {
  const { offset, q, order, opened_at, paid_at, ...filters } = params
  const chosen = Object.entries(filters).map(([name, value]) => [name, codesIn(value)] as const)
  return {
    ...Object.fromEntries(chosen.filter(([, codes]) => codes)),
    ...(q ? { q } : {}),
    ...(order ? { order } : {}),
    ...datesIn(opened_at),
    ...paidDatesIn(paid_at),
    ...pageAt(offset),
  }
}

function paidDatesIn(filter: string | undefined) {
  const { from, to } = datesIn(filter)
  return { ...(from ? { paid_from: from } : {}), ...(to ? { paid_to: to } : {}) }
}

/** The names of the filters in the address bar. */
export const STORE_FILTERS = [
  "q",
  "state",
  "standing",
  "exception",
  "status",
  "method",
  "account",
  "opened_at",
  "paid_at",
]

const SEVERAL = ["state", "standing", "exception", "status", "method", "account"]

/** The payments that this store opened. */
export const StoreTransactions = () => {
  const { t, number } = useFormat()
  const params = useQueryParams([...STORE_FILTERS, "order", "offset"])
  // A list of payments in a paid period begins with the last paid, unless the reader sorts it.
  const isPaidPeriod = Object.keys(paidDatesIn(params.paid_at)).length > 0
  const order = params.order ?? (isPaidPeriod ? "-paid_at" : undefined)
  const answer = useTransactions(queryOf({ ...params, order }))
  const { data } = answer
  const columns = useColumns()
  const filters = useFilters()
  return (
    <div className="divide-y">
      {/* Beside the table's own heading, a phone has no room for the search. */}
      <Text size="small" className="text-ui-fg-subtle px-6 py-3">
        {data && data.count >= MOST_COUNTED
          ? t("transactions.manyOfStore", { number: number(MOST_COUNTED) })
          : t("transactions.ofStore")}
      </Text>
      <ListTable
        answer={answer}
        rows={data?.transactions}
        columns={columns}
        filters={filters}
        getRowId={({ id }) => id}
        rowHref={pageOf}
        empty="transactions.empty"
        filtered={nothingFound(params.q)}
        several={SEVERAL}
      />
      <LastCounted answer={data} />
    </div>
  )
}

const pageOf = ({ id }: { id: string }) => `/payment-service/transactions/${id}`

/** The exception of a payment; a status that no option names is shown itself. */
const Exception = ({ exception, status }: Pick<TransactionOfList, "exception" | "status">) => {
  const { t, word } = useFormat()
  const text =
    exception === "unknown_status"
      ? t("transactions.statusNamed", { status })
      : word("exceptions", exception)
  return (
    <span className="block truncate" title={text}>
      {text}
    </span>
  )
}

const Customer = ({ id, customer }: { id: string | null } & Pick<TransactionOfList, "customer">) =>
  customer === null ? (
    <>–</>
  ) : (
    <span className="block truncate" title={customer.email}>
      <LinkTo to={id && `/customers/${id}`}>{customer.name ?? customer.email}</LinkTo>
    </span>
  )

const column = createDataTableColumnHelper<TransactionOfList>()

function useColumns() {
  const { t, money, moment, word } = useFormat()
  return useMemo(
    () => [
      column.accessor("opened_at", {
        ...sortedBy(t, "fields.opened_at", "time"),
        cell: ({ getValue, row: { original } }) => (
          <RowLink to={pageOf(original)}>{moment(getValue(), "short")}</RowLink>
        ),
      }),
      column.accessor("standing", {
        header: t("fields.standing"),
        cell: ({ getValue }) => <StandingBadge standing={getValue()} />,
      }),
      column.accessor("amount", {
        ...sortedBy(t, "fields.amount", "sum"),
        align: "right",
        cell: ({ row }) => money(row.original.amount, row.original.currency),
      }),
      column.accessor("method", {
        header: t("fields.method"),
        cell: ({ getValue }) => word("methods", getValue()),
      }),
      column.accessor("order_number", {
        header: t("fields.order"),
        cell: ({ getValue }) => (getValue() === null ? "–" : `#${getValue()}`),
      }),
      column.accessor("customer", {
        header: t("fields.customer"),
        cell: ({ getValue, row: { original } }) => (
          <Customer id={original.customer_id} customer={getValue()} />
        ),
        maxSize: 130,
      }),
      column.accessor("exception", {
        header: t("fields.exception"),
        cell: ({ getValue, row: { original } }) => (
          <Exception exception={getValue()} status={original.status} />
        ),
        maxSize: 150,
      }),
      column.accessor("paid_at", {
        ...sortedBy(t, "fields.paid_at", "time"),
        cell: ({ getValue }) => moment(getValue(), "short"),
      }),
    ],
    [t, money, moment, word]
  )
}

/** Statuses that payments have, with their meaning by the options; those in the address bar may be others. */
function useStatusFilter() {
  const { t } = useFormat()
  const { data } = useConnection()
  const { status } = useQueryParams(["status"])
  return useMemo(() => {
    const labels = new Map((codesIn(status) ?? []).map((chosen) => [chosen, chosen]))
    for (const { status: seen, meaning } of data?.statuses ?? []) {
      labels.set(seen, `${seen} · ${t(`connection.statuses.meanings.${meaning}`)}`)
    }
    const options = [...labels].map(([value, label]) => ({ label, value }))
    const label = t("fields.status")
    return options.length ? severalOf("status", label, options) : typed("status", label, "PENDING")
  }, [t, data, status])
}

function useFilters() {
  const { t, word } = useFormat()
  const byStatus = useStatusFilter()
  const dates = useDataTableDateFilters()
  const byAccount = useAccountFilter()
  return useMemo(() => {
    const options = (group: string, codes: string[]) =>
      codes.map((code) => ({ label: word(group, code), value: code }))
    return [
      severalOf("state", t("fields.state"), options("states", STATES)),
      severalOf("standing", t("fields.standing"), options("standings", STANDINGS)),
      severalOf("exception", t("fields.exception"), options("exceptions", EXCEPTIONS)),
      byStatus,
      severalOf("method", t("fields.method"), options("methods", METHODS)),
      ...byAccount,
      ...datesOf(dates, "opened_at", t("fields.opened_at")),
      ...datesOf(dates, "paid_at", t("fields.paid_at")),
    ]
  }, [t, word, dates, byStatus, byAccount])
}
