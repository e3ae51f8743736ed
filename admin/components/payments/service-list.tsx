import { ArrowPath } from "@medusajs/icons"
import { Badge, IconButton, StatusBadge, Text, Tooltip } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"

import { codeIn, codesIn, filtersIn, pageIn } from "../../lib/address"
import type { ListedRecord } from "../../lib/answers"
import { reading, useAction } from "../../lib/sdk"
import { useFormat } from "../../lib/format"
import { periodIn, spanIn, spanOf } from "../../lib/period"
import { Subtle, Tiny } from "../cards"
import { OrderLink, RowLink } from "../link-to"
import {
  AccountSelect,
  ListTable,
  PeriodSelect,
  Truncated,
  useFilters,
  useList,
  useSearched,
} from "../list-table"
import { nothingFound } from "./store-list"

/** The list's filters, in the form of the routes, for the list and its export. */
export function useServiceFilters() {
  const [params] = useSearchParams()
  const [q] = useSearched()
  return {
    ...spanOf(periodIn(params.get("period"))),
    ...spanIn(params.get("created_at")),
    ...filtersIn(params, ["account"]),
    ...(q ? { q } : {}),
    ...filtersIn(params, ["known", "status_name", "method"]),
  }
}

const LIST = "service-transactions"

export const ServiceTransactions = () => {
  const { t, ago, moment, money, owner, text, wallClock, word } = useFormat()
  const [params] = useSearchParams()
  const [q] = useSearched()
  const query = { ...useServiceFilters(), ...pageIn(params) }
  // The service's refusal is told at once.
  const answer = useList(LIST, query, { retry: false })
  const { data, isPending, isFetching, isPlaceholderData } = answer
  const anew = useAction({
    run: () => reading(LIST, { ...query, refresh: "true" }).queryFn(),
    failed: "transactions.notFetched",
    readAgain: [LIST],
  })
  const { several, one, dates } = useFilters()
  // The service filters methods by its numeric codes, for which the options may have labels.
  const codes = Object.keys(data?.codes.methodCodes ?? {})
  // While the list cannot be read, chosen methods can still be seen and cleared.
  const methods = codes.length ? codes : (codesIn(params.get("method")) ?? [])
  const listed = (data?.totals ?? []).map(({ status }) => status)
  const statuses = [...new Set([...listed, ...(codesIn(params.get("status_name")) ?? [])])]
  const at = data?.fetched_at
  const fetched = at
    ? t("transactions.fetched", { moment: moment(at, "short"), ago: ago(at) })
    : t("transactions.ofService")
  const hasDates = spanIn(params.get("created_at")) !== null
  const controls = (
    <>
      {/* Dates among the filters replace the period. */}
      {!hasDates && <PeriodSelect period={periodIn(params.get("period"))} />}
      <AccountSelect account={codeIn(params.get("account"))} />
      <Tooltip content={t("transactions.fetchAnew")}>
        <IconButton
          size="small"
          aria-label={t("transactions.fetchAnew")}
          onClick={() => anew.act()}
          isLoading={anew.isPending}
          disabled={isPending}
        >
          <ArrowPath />
        </IconButton>
      </Tooltip>
    </>
  )
  return (
    <div className="divide-y">
      {/* Beside the table's own heading, a phone has no room for the search. */}
      <Subtle className="px-6 py-3">
        {anew.isPending || (isFetching && (isPending || isPlaceholderData))
          ? t("transactions.fetching")
          : [fetched, data && owner(data)].filter(Boolean).join(" · ")}
      </Subtle>
      {data?.warning && (
        <div role="alert" className="px-6 py-4">
          <Text size="small" className="text-ui-fg-error">
            {t("transactions.incomplete", {
              count: data.warning.unreadable,
              reason: text(data.warning.messages),
            })}
          </Text>
          <Tiny lang="en">{data.warning.detail}</Tiny>
        </div>
      )}
      <ListTable
        answer={answer}
        rows={data?.transactions}
        columns={(column) => [
          column("created_at", { header: "fields.recorded_at", sorted: "time" }, (record) => (
            <RowLink to={pageOf(record)}>{wallClock(record.recorded_at)}</RowLink>
          )),
          column("status", { header: "fields.status", sorted: "text" }, (record) => (
            <MeaningBadge {...record} />
          )),
          column("amount", { header: "fields.amount", sorted: "sum", align: "right" }, (record) =>
            money(record.amount, record.currency)
          ),
          column("method", "fields.method", ({ method }) => word("methodNames", method)),
          column("description", { header: "fields.description", maxSize: 250 }, (record) => (
            <Truncated>{record.description || "–"}</Truncated>
          )),
          column("order_number", { header: "fields.order", maxSize: 200 }, (record) => (
            <OrderOrCart {...record} />
          )),
        ]}
        // The service may list one transaction twice, so its id does not tell rows apart.
        getRowId={(row) => String(data?.transactions.indexOf(row))}
        pageOf={pageOf}
        filters={[
          one("known", "transactions.inStore", [
            { label: t("transactions.knownToStore"), value: "true" },
            { label: t("transactions.unknown"), value: "false" },
          ]),
          several("status_name", "transactions.statusInList", statuses),
          methods.length > 0 && several("method", "fields.method", methods),
          ...dates("created_at", "fields.recorded_at"),
        ]}
        controls={controls}
        empty="transactions.serviceEmpty"
        filtered={nothingFound(q)}
      />
    </div>
  )
}

const pageOf = ({ transaction_row_id: rowId, record_id }: ListedRecord) =>
  rowId ? `/payment-service/transactions/${rowId}` : `/payment-service/records/${record_id}`

/** The colors of what the options take the service's statuses for. */
export const MEANING_COLORS = {
  paid: "green",
  pending: "blue",
  canceled: "grey",
  expired: "grey",
  reversed: "red",
  unknown: "orange",
} as const

/** A status as the service writes it; its color and title tell what the options take it for. */
const MeaningBadge = ({ status, meaning }: Pick<ListedRecord, "status" | "meaning">) => (
  <StatusBadge
    color={MEANING_COLORS[meaning]}
    title={useFormat().t(`connection.statuses.meanings.${meaning}`)}
    className="w-fit"
  >
    {status}
  </StatusBadge>
)

/** The order of a record, or the cart where there is no order yet. */
const OrderOrCart = (record: ListedRecord) => {
  const { t } = useFormat()
  const { transaction_row_id: rowId, order_id, order_number, cart_id } = record
  if (order_id !== null) return <OrderLink id={order_id} number={order_number} />
  if (rowId !== null) return <Truncated title={cart_id ?? undefined}>{cart_id ?? "–"}</Truncated>
  return (
    <Badge size="2xsmall" color="orange">
      {t("transactions.unknown")}
    </Badge>
  )
}
