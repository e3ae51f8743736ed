import { useDataTableDateFilters, useQueryParams } from "@medusajs/dashboard/hooks"
import { ArrowPath } from "@medusajs/icons"
import {
  Badge,
  createDataTableColumnHelper,
  Heading,
  IconButton,
  StatusBadge,
  Text,
  toast,
  Tooltip,
} from "@medusajs/ui"
import { useEffect, useMemo, useState } from "react"
import { useSearchParams } from "react-router-dom"

import { nothingFound } from "./ask-for-id"
import type { ListedRecord, RecordTotal, ServiceTransactionsAnswer } from "../lib/api"
import { useFormat } from "../lib/format"
import { datesOf, oneOf, severalOf, typed } from "../lib/list-filters"
import { pageAt } from "../lib/lists"
import { MEANING_COLORS } from "../lib/meaning-colors"
import { codeIn, codesIn, severalIn } from "../lib/address-filters"
import { periodIn, spanIn, spanOf, zoneIn } from "../lib/period"
import { useFetchAnew, useServiceTransactions } from "../lib/queries"
import { useErrorWords } from "../lib/refusal"
import { AccountSelect, PeriodSelect, ZoneSelect } from "./address-select"
import { LinkTo, RowLink } from "./link-to"
import { ListTable, sortedBy } from "./list-table"

/** The filters of the service's list in the address bar, for the list and its export. */
export function useServiceFilters() {
  const params = useQueryParams([
    "period",
    "created_at",
    "zone",
    "account",
    "q",
    "order",
    "known",
    "status",
    "status_name",
    "method",
  ])
  const period = periodIn(params.period)
  const zone = zoneIn(params.zone)
  const dates = spanIn(params.created_at, zone)
  const account = codeIn(params.account)
  const chosen = (name: "known" | "status" | "status_name" | "method") => {
    const codes = codesIn(params[name])
    return codes ? { [name]: codes.length === 1 ? codes[0] : codes } : {}
  }
  const filters = {
    ...spanOf(period, zone),
    ...dates,
    ...(account === undefined ? {} : { account }),
    ...(params.q ? { q: params.q } : {}),
    ...chosen("known"),
    ...chosen("status"),
    ...chosen("status_name"),
    ...chosen("method"),
  }
  return { period, hasDates: dates !== null, zone, account, filters, order: params.order }
}

/** The service's own list of a period; each record links to its order, or shows that the store does not know it. */
export const ServiceTransactions = () => {
  const { t, ago, moment, text, owner } = useFormat()
  const fetchedAt = (at: string) => ({ moment: moment(at, "short"), ago: ago(at) })
  const { offset } = useQueryParams(["offset"])
  const { period, hasDates, zone, account, filters: asked, order } = useServiceFilters()
  const query = {
    ...asked,
    ...(order ? { order } : {}),
    ...pageAt(offset),
  }
  const answer = useServiceTransactions(query)
  const { data, isPending, isFetching, isPlaceholderData } = answer
  const anew = useFetchAnew(query)
  const words = useErrorWords()
  const fetchAnew = () =>
    anew.mutate(undefined, {
      onError: (error) => toast.error(t("transactions.notFetched"), { description: words(error) }),
    })
  const isBeingFetched = useLongWait(
    anew.isPending || (isFetching && (isPending || isPlaceholderData))
  )
  const columns = useColumns()
  const { filters, several } = useFilters(data)
  const controls = (
    <>
      {/* Dates among the filters replace the period. */}
      {!hasDates && <PeriodSelect period={period} />}
      <ZoneSelect zone={zone} />
      <AccountSelect account={account} />
      <Tooltip content={t("transactions.fetchAnew")}>
        <IconButton
          size="small"
          aria-label={t("transactions.fetchAnew")}
          onClick={fetchAnew}
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
      <Text size="small" className="text-ui-fg-subtle px-6 py-3">
        {isBeingFetched
          ? t("transactions.fetching")
          : data
            ? [
                t(
                  data.fetched_anew ? "transactions.fetchedAnew" : "transactions.fetched",
                  fetchedAt(data.fetched_at)
                ),
                owner(data),
              ]
                .filter(Boolean)
                .join(" · ")
            : t("transactions.ofService")}
      </Text>
      {data?.warning && (
        <div role="alert" className="px-6 py-4">
          <Text size="small" className="text-ui-fg-error">
            {data.warning.unreadable === null
              ? t("transactions.brokenOff", { reason: text(data.warning.messages) })
              : t("transactions.incomplete", {
                  count: data.warning.unreadable,
                  reason: text(data.warning.messages),
                })}
          </Text>
          <Text size="xsmall" className="text-ui-fg-subtle" lang="en">
            {data.warning.detail}
          </Text>
        </div>
      )}
      {/* On a phone, Medusa's bar of filters has no room beside the filters. */}
      <div className="flex flex-wrap items-center gap-2 px-6 py-3 md:hidden">{controls}</div>
      <ListTable
        answer={answer}
        rows={data?.transactions}
        columns={columns}
        // The service may list one transaction twice, so its id does not tell rows apart.
        getRowId={(row) => String(data?.transactions.indexOf(row))}
        rowHref={(row) => pageOf(recordOfRow(row))}
        filters={filters}
        filterBarContent={<div className="hidden items-center gap-2 md:flex">{controls}</div>}
        empty="transactions.serviceEmpty"
        filtered={nothingFound(asked.q)}
        several={several}
      />
      {data && <Totals totals={data.totals} isFetching={isFetching} />}
    </div>
  )
}

const LONG_MS = 1_000

/** Whether something has been waited for longer than a moment, so that quick answers change no text on the page. */
function useLongWait(isWaiting: boolean): boolean {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setIsLong(true), LONG_MS)
    return () => {
      clearTimeout(timer)
      setIsLong(false)
    }
  }, [isWaiting])
  return isLong
}

/** The sums of all statuses, each of which leads to its records; one that is chosen leads back to all. */
const Totals = ({ totals, isFetching }: { totals: RecordTotal[]; isFetching: boolean }) => {
  const { t, money, number, word } = useFormat()
  const [params] = useSearchParams()
  const chosen = codesIn(params.get("status_name")) ?? []
  const listOf = (status: string) => {
    const search = new URLSearchParams(params)
    if (chosen.includes(status)) search.delete("status_name")
    else search.set("status_name", JSON.stringify([status]))
    search.delete("offset")
    return `?${search.toString()}`
  }
  return (
    <section aria-label={t("transactions.totals")} aria-busy={isFetching} className="py-4">
      {totals.length > 0 && (
        <Heading level="h2" className="px-6 pb-2">
          {t("transactions.totals")}
        </Heading>
      )}
      {totals.map(({ status, meaning, method, currency, count, amount }) => (
        <div
          key={`${status} ${method} ${currency}`}
          aria-current={chosen.includes(status)}
          className={`text-ui-fg-subtle grid grid-cols-2 items-center gap-2 px-6 py-2 sm:grid-cols-4 ${chosen.includes(status) ? "bg-ui-bg-subtle" : ""}`}
        >
          <MeaningBadge status={status} meaning={meaning} to={listOf(status)} />
          <Text size="small" leading="compact">
            {word("methodNames", method)}
          </Text>
          <Text size="small" leading="compact" className="sm:text-right">
            {number(count)}
          </Text>
          <Text size="small" leading="compact" className="text-right">
            {money(amount, currency)}
          </Text>
        </div>
      ))}
    </section>
  )
}

/** The service filters statuses and methods by its numeric codes, for which the options have labels. */
function useFilters({
  codes,
  totals,
}: Partial<Pick<ServiceTransactionsAnswer, "codes" | "totals">> = {}) {
  const { t } = useFormat()
  const { status, status_name, method } = useQueryParams(["status", "status_name", "method"])
  const dates = useDataTableDateFilters()
  const names = Object.entries({ status: codes?.statusCodes, method: codes?.methodCodes })
  const several = [
    ...names.flatMap(([id, labels = {}]) => (Object.keys(labels).length ? id : [])),
    "status_name",
  ]
  const filters = useMemo(() => {
    // While the list cannot be read, chosen codes can still be seen and cleared.
    const statuses = codes ? Object.keys(codes.statusCodes) : severalIn(status)
    const methods = codes ? Object.keys(codes.methodCodes) : severalIn(method)
    const inList = new Set([
      ...(totals ?? []).map((total) => total.status),
      ...(codesIn(status_name) ?? []),
    ])
    const asChoices = (labels: Iterable<string>) =>
      [...labels].map((label) => ({ label, value: label }))
    const byCode = (id: "status" | "method", labels: string[]) =>
      labels.length
        ? severalOf(id, t(`fields.${id}`), asChoices(labels))
        : typed(id, t("transactions.code", { what: t(`fields.${id}`) }), "1")
    return [
      oneOf("known", t("transactions.inStore"), [
        { label: t("transactions.knownToStore"), value: "true" },
        { label: t("transactions.unknown"), value: "false" },
      ]),
      severalOf("status_name", t("transactions.statusInList"), asChoices(inList)),
      byCode("status", statuses),
      byCode("method", methods),
      ...datesOf(dates, "created_at", t("fields.recorded_at")).map((one) => ({
        ...one,
        format: "date-time" as const,
      })),
    ]
  }, [t, codes, totals, status, status_name, method, dates])
  return { filters, several }
}

/** The record of a clicked row. Medusa's table passes its own row around the record, unlike its types say. */
function recordOfRow<T extends object>(row: T | { original: T }): T {
  return "original" in row ? row.original : row
}

const pageOf = ({ transaction_row_id: rowId, record_id }: ListedRecord) =>
  rowId ? `/payment-service/transactions/${rowId}` : `/payment-service/records/${record_id}`

/** A status as the service writes it; its color and title tell what the options take it for. */
const MeaningBadge = ({
  status,
  meaning,
  to = null,
}: Pick<ListedRecord, "status" | "meaning"> & { to?: string | null }) => {
  const { t } = useFormat()
  return (
    <StatusBadge
      color={MEANING_COLORS[meaning]}
      title={t(`connection.statuses.meanings.${meaning}`)}
      className="w-fit"
    >
      <LinkTo to={to}>{status}</LinkTo>
    </StatusBadge>
  )
}

/** The order of a record, or the cart where there is no order yet. */
const OrderOrCart = ({ record }: { record: ListedRecord }) => {
  const { t } = useFormat()
  const { transaction_row_id: rowId, order_id, order_number, cart_id } = record
  if (order_id !== null) {
    return (
      <LinkTo to={`/orders/${order_id}`}>
        {order_number === null ? order_id : `#${order_number}`}
      </LinkTo>
    )
  }
  if (rowId !== null) {
    return (
      <span className="block truncate" title={cart_id ?? undefined}>
        {cart_id ?? "–"}
      </span>
    )
  }
  return (
    <Badge size="2xsmall" color="orange">
      {t("transactions.unknown")}
    </Badge>
  )
}

const column = createDataTableColumnHelper<ListedRecord>()

function useColumns() {
  const { t, money, wallClock, word } = useFormat()
  return useMemo(
    () => [
      column.accessor("recorded_at", {
        id: "created_at",
        ...sortedBy(t, "fields.recorded_at", "time"),
        cell: ({ getValue, row: { original } }) => (
          <RowLink to={pageOf(original)}>{wallClock(getValue())}</RowLink>
        ),
      }),
      column.accessor("status", {
        ...sortedBy(t, "fields.status", "text"),
        cell: ({ row: { original } }) => (
          <MeaningBadge status={original.status} meaning={original.meaning} />
        ),
      }),
      column.accessor("amount", {
        ...sortedBy(t, "fields.amount", "sum"),
        align: "right",
        cell: ({ row }) => money(row.original.amount, row.original.currency),
      }),
      column.accessor("method", {
        header: t("fields.method"),
        cell: ({ getValue }) => word("methodNames", getValue()),
      }),
      column.accessor("description", {
        header: t("fields.description"),
        cell: ({ getValue }) => <span className="block truncate">{getValue() || "–"}</span>,
        maxSize: 250,
      }),
      column.accessor("order_number", {
        header: t("fields.order"),
        cell: ({ row: { original } }) => <OrderOrCart record={original} />,
        maxSize: 200,
      }),
    ],
    [t, money, wallClock, word]
  )
}
