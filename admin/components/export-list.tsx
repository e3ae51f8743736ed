import { DataTable } from "@medusajs/dashboard/components"
import { useQueryParams } from "@medusajs/dashboard/hooks"
import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"

import { type ExportRecord, useExports } from "../lib/exports"
import { useFormat } from "../lib/format"
import { useExistingPage } from "../lib/use-existing-page"
import { ExportFilters } from "./export-filters"
import { ExportOutcome } from "./export-outcome"
import { emptyStateOf } from "./failed"

const PAGE_SIZE = 20

/** Every export: who took what, when, and how it ended. */
export const ExportList = () => {
  const { t } = useFormat()
  const { offset } = useQueryParams(["offset"])
  const answer = useExports({ limit: PAGE_SIZE, offset: offset ? Number(offset) : 0 })
  const { data, isPending } = answer
  const columns = useColumns()
  useExistingPage(data)
  return (
    <DataTable
      data={data?.exports ?? []}
      columns={columns}
      rowCount={data?.count ?? 0}
      getRowId={({ id }) => id}
      pageSize={PAGE_SIZE}
      isLoading={isPending}
      enableSearch={false}
      heading={t("exports.list")}
      subHeading={t("exports.ofAll")}
      emptyState={emptyStateOf(answer, {
        empty: { heading: t("exports.empty.heading"), description: t("exports.empty.description") },
      })}
    />
  )
}

const column = createDataTableColumnHelper<ExportRecord>()

function useColumns() {
  const { t, moment, number } = useFormat()
  return useMemo(
    () => [
      column.accessor("started_at", {
        header: t("exports.fields.started_at"),
        cell: ({ getValue }) => moment(getValue(), "short"),
      }),
      column.accessor("by", {
        header: t("exports.fields.by"),
        cell: ({ getValue, row }) => (
          <span className="truncate">{row.original.by_name ?? getValue()}</span>
        ),
        maxSize: 160,
      }),
      column.accessor("name", {
        header: t("exports.fields.name"),
        cell: ({ getValue }) => (
          <span className="truncate" title={getValue()}>
            {getValue()}
          </span>
        ),
        maxSize: 250,
      }),
      column.accessor("filters", {
        header: t("exports.fields.filters"),
        cell: ({ getValue, row }) => (
          <div className="py-3">
            <ExportFilters source={row.original.source} filters={getValue()} />
          </div>
        ),
      }),
      column.accessor("rows", {
        header: t("exports.fields.rows"),
        align: "right",
        cell: ({ getValue }) => number(getValue()),
      }),
      column.accessor("outcome", {
        header: t("exports.fields.outcome"),
        cell: ({ row }) => <ExportOutcome record={row.original} />,
        maxSize: 250,
      }),
    ],
    [t, moment, number]
  )
}
