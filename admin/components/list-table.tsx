import { ActionMenu } from "@medusajs/dashboard/components"
import { useDataTableDateFilters } from "@medusajs/dashboard/hooks"
import {
  createDataTableColumnHelper,
  DataTable,
  type DataTableColumnDef,
  type DataTableFilter,
  Heading,
  useDataTable,
} from "@medusajs/ui"
import { keepPreviousData, useQuery, type UseQueryOptions } from "@tanstack/react-query"
import {
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from "react"
import { useTranslation } from "react-i18next"
import { useHref, useNavigate, useSearchParams } from "react-router-dom"

import { codesIn, daysOf, MOST_COUNTED, PAGE_SIZE, valueIn } from "../lib/address"
import type { Page } from "../lib/answers"
import { useFormat } from "../lib/format"
import { type Period, PERIODS, spanOf } from "../lib/period"
import { searching } from "../lib/sdk"
import { Failed, Note, Subtle } from "./cards"
import { Choice } from "./forms"
import { useSearched } from "./search"

/** The read of a page of a list; the page before stays while the next one is read. */
export const useList = <Answer extends Page>(
  path: string,
  query: Parameters<typeof searching>[1],
  more: Partial<UseQueryOptions<Answer>> = {}
) =>
  useQuery<Answer>({
    ...searching<Answer>(path, query),
    placeholderData: keepPreviousData,
    ...more,
  })

type Instance<Row> = Parameters<typeof useDataTable<Row>>[0]

interface ListTableProps<Row> extends Pick<Instance<Row>, "commands" | "rowSelection"> {
  /** The read of this page of the list. */
  answer: {
    data: Page | undefined
    isPending: boolean
    isError: boolean
    error: unknown
    refetch: () => unknown
  }
  rows: Row[] | undefined
  getRowId?: (row: Row) => string
  /** The page of a row. */
  pageOf?: (row: Row) => string
  columns: DataTableColumnDef<Row, Row>[]
  filters?: DataTableFilter[]
  isSearched?: boolean
  heading?: string
  subHeading?: string
  action?: ReactNode
  menu?: ComponentProps<typeof ActionMenu>
  /** Stands beside the filters; on a phone, where these have the whole width, above the table. */
  controls?: ReactNode
  /** The key of the heading and description of a list without rows, and of one in which nothing was found. */
  empty: string
  filtered?: string | { custom: ReactNode }
}

const narrow = () => matchMedia("(max-width: 767px)")

const followWidth = (changed: () => void) => {
  const followed = narrow()
  followed.addEventListener("change", changed)
  return () => followed.removeEventListener("change", changed)
}

/** Whether the page is as narrow as a phone, where a table has room for one column. */
export const useIsNarrow = () => useSyncExternalStore(followWidth, () => narrow().matches)

/**
 * A page of a list in Medusa's table, as the address bar asks for it, with what is searched for. Where it could not be read, it says
 * why; search and filters stay above that, because one of them may be the cause.
 */
export function ListTable<Row extends object>({
  answer: { data, isPending, isError, error, refetch },
  rows = [],
  getRowId = (row) => String((row as { id?: unknown }).id),
  pageOf,
  columns,
  filters = [],
  isSearched = true,
  ...list
}: ListTableProps<Row>) {
  const { t, number } = useFormat()
  const { t: medusas } = useTranslation()
  const isNarrow = useIsNarrow()
  const [params, setParams] = useSearchParams()
  const [searched, search] = useSearched()
  const navigate = useNavigate()
  const root = useHref("/").replace(/\/$/, "")
  useTidyAddress(filters, data)

  const change = (names: readonly string[], values: Record<string, string | undefined>) =>
    setParams((before) => {
      for (const name of names) {
        const value = values[name]
        if (value === undefined) before.delete(name)
        else before.set(name, value)
      }
      return before
    })
  const open = (event: MouseEvent, row: Row | { original: Row }) => {
    // The table passes its own row around ours, unlike its types say.
    const page = pageOf?.("original" in row ? row.original : row) ?? ""
    if (event.metaKey || event.ctrlKey || event.shiftKey) {
      window.open(root + page, event.shiftKey ? undefined : "_blank", "noreferrer")
    } else void navigate(page)
  }
  const ids = filters.map(({ id }) => id)
  const order = params.get("order")
  const hasSorting = columns.some(({ enableSorting }) => enableSorting)
  const instance = useDataTable<Row>({
    data: rows,
    columns,
    filters,
    getRowId,
    rowCount: data?.count ?? 0,
    isLoading: isPending,
    onRowClick: pageOf && open,
    commands: list.commands,
    rowSelection: list.rowSelection,
    // Each change below leads to the first page by itself.
    autoResetPageIndex: false,
    pagination: {
      state: {
        pageIndex: Math.floor(Number(params.get("offset") ?? 0) / PAGE_SIZE),
        pageSize: PAGE_SIZE,
      },
      onPaginationChange: ({ pageIndex }) =>
        change(["offset"], { offset: pageIndex ? String(pageIndex * PAGE_SIZE) : undefined }),
    },
    filtering: ids.length
      ? {
          state: Object.fromEntries(
            filters.flatMap(({ id, type }) => {
              const written = params.get(id)
              return written ? [[id, valueIn(written, type === "multiselect")]] : []
            })
          ),
          onFilteringChange: (chosen) =>
            change(
              [...ids, "offset"],
              Object.fromEntries(ids.map((id) => [id, JSON.stringify(chosen[id])]))
            ),
        }
      : undefined,
    sorting: hasSorting
      ? {
          state: order ? { id: order.replace("-", ""), desc: order.startsWith("-") } : null,
          onSortingChange: ({ id, desc }) =>
            change(["order", "offset"], { order: desc ? `-${id}` : id }),
        }
      : undefined,
    search: isSearched
      ? {
          state: searched,
          onSearchChange: (text) => {
            search(text)
            if (params.has("offset")) change(["offset"], {})
          },
        }
      : undefined,
  })
  const failed = isError && { custom: <Failed error={error} retry={refetch} /> }
  const said = (key: string) => ({
    heading: t(`${key}.heading`),
    description: t(`${key}.description`),
  })
  const isLastCounted = data && data.count >= MOST_COUNTED && data.offset + data.limit >= data.count
  return (
    <>
      {isNarrow && list.controls && (
        <div className="flex flex-wrap items-center gap-2 px-6 py-3">{list.controls}</div>
      )}
      {/* On a phone, a pinned column would hide the others. */}
      <DataTable instance={instance} className="max-md:[&_:is(td,th)]:static">
        <DataTable.Toolbar
          className="flex flex-col items-start justify-between gap-2 md:flex-row md:items-center"
          translations={{ clearAll: medusas("actions.clearAll") }}
          filterBarContent={!isNarrow && list.controls}
        >
          <div className="flex w-full items-center justify-between gap-2">
            <div>
              {list.heading && <Heading>{list.heading}</Heading>}
              {list.subHeading && <Subtle>{list.subHeading}</Subtle>}
            </div>
            <div className="flex items-center gap-x-2">
              {ids.length > 0 && <DataTable.FilterMenu tooltip={medusas("filters.filterLabel")} />}
              {hasSorting && <DataTable.SortingMenu tooltip={medusas("filters.sortLabel")} />}
              {isSearched && (
                <div className="w-full md:w-auto">
                  <DataTable.Search placeholder={medusas("filters.searchLabel")} />
                </div>
              )}
              {list.menu && <ActionMenu variant="primary" {...list.menu} />}
              {list.action}
            </div>
          </div>
        </DataTable.Toolbar>
        <DataTable.Table
          emptyState={{
            empty: failed || said(list.empty),
            filtered:
              failed || (typeof list.filtered === "string" ? said(list.filtered) : list.filtered),
          }}
        />
        {!failed && (
          <DataTable.Pagination
            translations={{
              of: medusas("general.of"),
              results: medusas("general.results"),
              pages: medusas("general.pages"),
              prev: medusas("general.prev"),
              next: medusas("general.next"),
            }}
          />
        )}
        {list.commands?.length ? (
          <DataTable.CommandBar selectedLabel={(count) => t("lists.selected", { count })} />
        ) : null}
      </DataTable>
      {isLastCounted && (
        <Note className="border-t px-6 py-4">
          {t("lists.lastCounted", { number: number(MOST_COUNTED) })}
        </Note>
      )}
    </>
  )
}

/**
 * Leads from a page that no longer exists to the first one, because handled rows leave a list. Single codes (`state=paid`) become
 * lists where several may be chosen, because Medusa's table would split one into letters.
 */
function useTidyAddress(filters: DataTableFilter[], data: Page | undefined): void {
  const [params, setParams] = useSearchParams()
  const tidy = new URLSearchParams(params)
  if (data && data.count > 0 && data.offset >= data.count) tidy.delete("offset")
  for (const { id } of filters.filter(({ type }) => type === "multiselect")) {
    const codes = codesIn(params.get(id))
    if (codes?.length === 1) tidy.set(id, JSON.stringify(codes))
  }
  const address = tidy.toString()
  const isTidy = address === params.toString()
  useEffect(() => {
    if (!isTidy) setParams(address, { replace: true })
  }, [isTidy, address, setParams])
}

/** The directions of a sorted column, from the one that is chosen first. */
const DIRECTIONS = {
  time: ["oldest", "newest"],
  sum: ["least", "most"],
  text: ["a_to_z", "z_to_a"],
} as const

interface ColumnProps {
  /** The key of its header. */
  header: string
  /** The kind of its values, if the list can be sorted by it. */
  sorted?: keyof typeof DIRECTIONS
  align?: "right"
  maxSize?: number
}

/** Makes columns of a list; without other properties, a text is a column's header. */
export function columnsOf<Row>(t: ReturnType<typeof useFormat>["t"]) {
  const column = createDataTableColumnHelper<Row>()
  return (id: string, of: string | ColumnProps, cell: (row: Row) => ReactNode) => {
    const { header, sorted, ...rest } = typeof of === "string" ? { header: of } : of
    const [ascending, descending] = sorted ? DIRECTIONS[sorted] : []
    return column.accessor((row: Row) => row, {
      id,
      header: t(header),
      cell: ({ row }) => cell(row.original),
      ...rest,
      ...(sorted && {
        enableSorting: true,
        sortLabel: t(header),
        sortAscLabel: t(`sorting.${ascending}`),
        sortDescLabel: t(`sorting.${descending}`),
      }),
    })
  }
}

/** Text of one line in a cell; its tooltip has all of it. */
export const Truncated = ({
  title,
  children,
}: {
  title?: string | undefined
  children: ReactNode
}) => (
  <span className="block truncate" title={title}>
    {children}
  </span>
)

type Choices = ReturnType<ReturnType<typeof useFormat>["choices"]>

const choiceOf =
  (type: "multiselect" | "radio") =>
  (id: string, label: string, options: Choices): DataTableFilter => ({ id, type, label, options })

/** A list's filter with several choices. */
export const severalOf = choiceOf("multiselect")

/** A list's filter with one choice. */
export const oneOf = choiceOf("radio")

/** A list's filter whose value is typed. */
export const typed = (id: string, label: string, placeholder?: string): DataTableFilter => {
  return { id, type: "string", label, placeholder }
}

/** Makes filters of dates, as Medusa's with whole months added, under other ids and labels. */
export function useDateFilter() {
  const { t } = useFormat()
  const medusas = useDataTableDateFilters()
  return useMemo(() => {
    const months = (["this_month", "last_month"] as const).map((period) => ({
      label: t(`periods.${period}`),
      value: daysOf(spanOf(period)),
    }))
    return (id: string, label: string): DataTableFilter[] =>
      medusas.flatMap((one) =>
        one.id === "created_at" && one.type === "date"
          ? [{ ...one, id, label, options: [...one.options, ...months] }]
          : []
      )
  }, [t, medusas])
}

interface AddressSelectProps {
  /** The name in the address bar, which keeps the choice. */
  name: "account" | "period" | "zone"
  value: string
  options: readonly string[]
  /** The name of an option, and its form in the address bar; as it is, unless given. */
  nameOf?: (option: string) => string
  write?: (option: string) => string
}

const asItIs = (option: string) => option

/** Chooses what a list or a page is about, and keeps it in the address bar. */
export const AddressSelect = ({
  name,
  value,
  options,
  nameOf = asItIs,
  write = asItIs,
}: AddressSelectProps) => {
  const { t } = useFormat()
  const [, setParams] = useSearchParams()
  const choose = (chosen: string) =>
    setParams((before) => {
      before.set(name, write(chosen))
      // An offset in one list means nothing in another.
      before.delete("offset")
      return before
    })
  return (
    <Choice
      size="small"
      className="w-fit"
      label={t(`fields.${name}`)}
      value={value}
      options={options}
      nameOf={nameOf}
      onChoose={choose}
    />
  )
}

export const PeriodSelect = ({ period }: { period: Period }) => {
  const { t } = useFormat()
  const nameOf = (one: string) => t(`periods.${one}`)
  return <AddressSelect name="period" value={period} options={PERIODS} nameOf={nameOf} />
}
