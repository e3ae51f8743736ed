import { DataTable } from "@medusajs/dashboard/components"
import { useQueryParams } from "@medusajs/dashboard/hooks"
import { Badge, createDataTableColumnHelper, Select, Text } from "@medusajs/ui"
import { useMemo } from "react"
import { useSearchParams } from "react-router-dom"

import type { ListedRecord, RecordTotal } from "../lib/api"
import { useFormat } from "../lib/format"
import { useServiceTransactions } from "../lib/queries"

const PAGE_SIZE = 20
export const PERIODS = [
  "today",
  "yesterday",
  "last_7_days",
  "last_30_days",
  "last_90_days",
] as const
type Period = (typeof PERIODS)[number]

/** A period in whole days of the admin's time zone, so that the same question has the same answer for a while. */
export function spanOf(period: Period): { from: string; to: string } {
  const today = new Date()
  today.setHours(0, 0, 0, 0)
  const daysAgo = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - days)
  const tomorrow = daysAgo(-1)
  const [from, to] = {
    today: [today, tomorrow],
    yesterday: [daysAgo(1), today],
    last_7_days: [daysAgo(6), tomorrow],
    last_30_days: [daysAgo(29), tomorrow],
    last_90_days: [daysAgo(89), tomorrow],
  }[period] as [Date, Date]
  return { from: from.toISOString(), to: to.toISOString() }
}

/** The service's own list of a period; each record leads to its order, or says that the store knows nothing of it. */
export const ServiceTransactions = () => {
  const { t, ago } = useFormat()
  const [, setParams] = useSearchParams()
  const { period: chosen, q, order, offset } = useQueryParams(["period", "q", "order", "offset"])
  const period = PERIODS.find((one) => one === chosen) ?? "last_7_days"
  const query = {
    ...spanOf(period),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(q ? { q } : {}),
    ...(order ? { order } : {}),
    limit: PAGE_SIZE,
    offset: offset ? Number(offset) : 0,
  }
  const { data, isPending, isFetching, isError, error } = useServiceTransactions(query)
  const columns = useColumns()
  if (isError) throw error
  return (
    <>
      <DataTable
        data={data?.transactions ?? []}
        columns={columns}
        rowCount={data?.count ?? 0}
        getRowId={({ record_id }) => record_id}
        rowHref={(record) =>
          record.transaction_row_id
            ? `/payment-service/transactions/${record.transaction_row_id}`
            : `/payment-service/records/${record.record_id}`
        }
        pageSize={PAGE_SIZE}
        isLoading={isPending}
        heading={t("transactions.title")}
        subHeading={
          data
            ? t("transactions.fetched", { ago: ago(data.fetched_at) })
            : t("transactions.ofService")
        }
        filterBarContent={
          <Select
            size="small"
            value={period}
            onValueChange={(value) =>
              setParams((before) => {
                before.set("period", value)
                before.delete("offset")
                return before
              })
            }
          >
            <Select.Trigger className="w-fit" aria-label={t("fields.period")}>
              <Select.Value />
            </Select.Trigger>
            <Select.Content>
              {PERIODS.map((one) => (
                <Select.Item key={one} value={one}>
                  {t(`periods.${one}`)}
                </Select.Item>
              ))}
            </Select.Content>
          </Select>
        }
        emptyState={{
          empty: {
            heading: t("transactions.serviceEmpty.heading"),
            description: t("transactions.serviceEmpty.description"),
          },
          filtered: {
            heading: t("transactions.filtered.heading"),
            description: t("transactions.filtered.description"),
          },
        }}
      />
      {data?.warning && (
        <Text size="small" className="text-ui-fg-error px-6 py-4" role="alert">
          {t("transactions.incomplete", { reason: data.warning })}
        </Text>
      )}
      {data && <Totals totals={data.totals} isFetching={isFetching} />}
    </>
  )
}

const Totals = ({ totals, isFetching }: { totals: RecordTotal[]; isFetching: boolean }) => {
  const { t, money, number, word } = useFormat()
  return (
    <section aria-label={t("transactions.totals")} aria-busy={isFetching}>
      {totals.map(({ status, method, currency, count, amount }) => (
        <div
          key={`${status} ${method} ${currency}`}
          className="text-ui-fg-subtle grid grid-cols-2 items-center gap-2 px-6 py-2 sm:grid-cols-4"
        >
          <Text size="small" weight="plus" leading="compact">
            {status}
          </Text>
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

const column = createDataTableColumnHelper<ListedRecord>()

function useColumns() {
  const { t, money, word } = useFormat()
  return useMemo(
    () => [
      column.accessor("recorded_at", {
        id: "created_at",
        header: t("fields.recorded_at"),
        enableSorting: true,
        sortLabel: t("fields.recorded_at"),
        sortAscLabel: t("sorting.oldest"),
        sortDescLabel: t("sorting.newest"),
        cell: ({ getValue }) => getValue() ?? "–",
      }),
      column.accessor("status", {
        header: t("fields.status"),
        enableSorting: true,
        sortLabel: t("fields.status"),
        sortAscLabel: t("sorting.a_to_z"),
        sortDescLabel: t("sorting.z_to_a"),
      }),
      column.accessor("amount", {
        header: t("fields.amount"),
        enableSorting: true,
        sortLabel: t("fields.amount"),
        sortAscLabel: t("sorting.least"),
        sortDescLabel: t("sorting.most"),
        cell: ({ row }) => money(row.original.amount, row.original.currency),
      }),
      column.accessor("method", {
        header: t("fields.method"),
        cell: ({ getValue }) => word("methodNames", getValue()),
      }),
      column.accessor("description", {
        header: t("fields.description"),
        cell: ({ getValue }) => <span className="truncate">{getValue() ?? "–"}</span>,
        maxSize: 250,
      }),
      column.accessor("order_number", {
        header: t("fields.order"),
        cell: ({ row: { original } }) =>
          original.order_number !== null ? (
            `#${original.order_number}`
          ) : original.transaction_row_id ? (
            "–"
          ) : (
            <Badge size="2xsmall" color="orange">
              {t("transactions.unknown")}
            </Badge>
          ),
      }),
    ],
    [t, money, word]
  )
}
