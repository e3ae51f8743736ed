import { useDataTableDateFilters } from "@medusajs/dashboard/hooks"
import {
  Container,
  createDataTableColumnHelper,
  DataTable,
  type DataTableColumnDef,
  type DataTableFilter,
  Heading,
  useDataTable,
} from "@medusajs/ui"
import { keepPreviousData, type UseQueryResult } from "@tanstack/react-query"
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react"
import { useTranslation } from "react-i18next"
import {
  NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
  useSearchParams,
} from "react-router-dom"

import { daysOf, PAGE_SIZE, pageIn, useAddress, valueIn } from "../lib/address"
import type { Reads } from "../lib/answers"
import { useFormat } from "../lib/format"
import { type Period, PERIODS, spanOf } from "../lib/period"
import { type Query, type Reading, useRead } from "../lib/sdk"
import { Failed, Subtle } from "./cards"
import { Choice } from "./forms"

/** The read of a list's page; the page before stays while the next one is read. */
export const useList = <Path extends keyof Reads>(
  path: Path,
  query: Query,
  more: Reading<Path> = {}
) => useRead(path, query, { placeholderData: keepPreviousData, ...more })

interface ListTableProps<Row> {
  answer: UseQueryResult<Record<"count" | "limit" | "offset", number>>
  rows: Row[] | undefined
  getRowId?: (row: Row) => string
  pageOf: (row: Row) => string
  columns: (column: Column<Row>) => (DataTableColumnDef<Row, Row> | false)[]
  filters?: (DataTableFilter | false)[]
  isSearched?: boolean
  /** A list with a heading is a card of its own. */
  heading?: string
  subHeading?: string
  action?: ReactNode
  /** Stands beside the filters; on a phone, where these have the whole width, above the table. */
  controls?: ReactNode
  /** The key of the heading and description of a list without rows, and of one in which nothing was found. */
  empty: string
  filtered?: string | { custom: ReactNode }
}

interface ColumnProps {
  header: string
  /** The kind of its values, if the list can be sorted by it. */
  sorted?: keyof typeof DIRECTIONS
  align?: "right"
  maxSize?: number
}

/** Makes a column of a list by the key of its header; without other properties, the key alone is given. */
type Column<Row> = (
  id: string,
  of: string | ColumnProps,
  show: (row: Row) => ReactNode
) => DataTableColumnDef<Row, Row>

/** The directions of a sorted column, from the one that is chosen first. */
const DIRECTIONS = {
  time: ["oldest", "newest"],
  sum: ["least", "most"],
  text: ["a_to_z", "z_to_a"],
} as const

function useColumns<Row>(): Column<Row> {
  const { t } = useFormat()
  const [shows] = useState(() => new Map<string, (row: Row) => ReactNode>())
  // A new function for a column would make its cells again, which lose focus; so all share one that stays the same.
  const [cell] = useState(
    () =>
      ({ row, column }: { row: { original: Row }; column: { id: string } }) =>
        shows.get(column.id)?.(row.original)
  )
  const helper = createDataTableColumnHelper<Row>()
  return (id, of, show) => {
    const { header, sorted, ...rest } = typeof of === "string" ? { header: of } : of
    const [ascending, descending] = sorted ? DIRECTIONS[sorted] : []
    shows.set(id, show)
    return helper.accessor((row: Row) => row, {
      id,
      header: t(header),
      cell,
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

const narrow = () => matchMedia("(max-width: 767px)")

const followWidth = (changed: () => void) => {
  const followed = narrow()
  followed.addEventListener("change", changed)
  return () => followed.removeEventListener("change", changed)
}

/** Whether the page is as narrow as a phone, where a table has room for one column. */
export const useIsNarrow = () => useSyncExternalStore(followWidth, () => narrow().matches)

/** A page of a list, as the address bar asks for it. Search and filters stay if it could not be read: one may be the cause. */
export function ListTable<Row extends object>({
  answer: { data, isPending, isError, error, refetch },
  rows = [],
  getRowId = (row) => String((row as { id?: unknown }).id),
  pageOf,
  columns,
  filters: possible = [],
  isSearched = true,
  ...list
}: ListTableProps<Row>) {
  const { t } = useFormat()
  const { t: medusas } = useTranslation()
  const isNarrow = useIsNarrow()
  const [params, change] = useAddress()
  const [searched, search] = useSearched()
  const navigate = useNavigate()
  // Handled rows leave a list, and its last page may no longer exist.
  const isBeyond = data !== undefined && data.count > 0 && data.offset >= data.count
  useEffect(() => {
    if (isBeyond && params.has("offset")) change({ offset: undefined }, { replace: true })
  })
  const made = columns(useColumns<Row>()).filter((one) => one !== false)
  const filters = possible.filter((one) => one !== false)
  const ids = filters.map(({ id }) => id)
  const order = params.get("order")
  const hasSorting = made.some(({ enableSorting }) => enableSorting)
  const instance = useDataTable<Row>({
    data: rows,
    columns: made,
    filters,
    getRowId,
    rowCount: data?.count ?? 0,
    isLoading: isPending,
    // The table passes its own row around ours, unlike its types say. The first cell's link opens other tabs.
    onRowClick: (_, row: Row | { original: Row }) =>
      void navigate(pageOf("original" in row ? row.original : row)),
    // Each change below leads to the first page by itself.
    autoResetPageIndex: false,
    pagination: {
      state: { pageIndex: Math.floor(pageIn(params).offset / PAGE_SIZE), pageSize: PAGE_SIZE },
      onPaginationChange: ({ pageIndex }) =>
        change({ offset: pageIndex ? String(pageIndex * PAGE_SIZE) : undefined }),
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
            change({
              offset: undefined,
              ...Object.fromEntries(ids.map((id) => [id, JSON.stringify(chosen[id])])),
            }),
        }
      : undefined,
    sorting: hasSorting
      ? {
          state: order ? { id: order.replace("-", ""), desc: order.startsWith("-") } : null,
          onSortingChange: ({ id, desc }) =>
            change({ order: desc ? `-${id}` : id, offset: undefined }),
        }
      : undefined,
    search: isSearched
      ? {
          state: searched,
          onSearchChange: (text) => {
            search(text)
            if (params.has("offset")) change({ offset: undefined })
          },
        }
      : undefined,
  })
  const failed = isError && { custom: <Failed error={error} retry={refetch} /> }
  const said = (key: string) => ({
    heading: t(`${key}.heading`),
    description: t(`${key}.description`),
  })
  const table = (
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
      </DataTable>
    </>
  )
  return list.heading ? <Container className="divide-y p-0">{table}</Container> : table
}

export const Truncated = (text: ComponentProps<"span">) => (
  <span className="block truncate" {...text} />
)

type Choices = readonly (string | { label: string; value: string })[]

/** Makes the filters of a list by the keys of their labels. Codes are their own names unless they come with others. */
export function useFilters() {
  const { t } = useFormat()
  const medusas = useDataTableDateFilters()
  const choiceOf =
    (type: "multiselect" | "radio") =>
    (id: string, label: string, choices: Choices): DataTableFilter => ({
      id,
      type,
      label: t(label),
      options: choices.map((one) => (typeof one === "string" ? { label: one, value: one } : one)),
    })
  const months = (["this_month", "last_month"] as const).map((period) => ({
    label: t(`periods.${period}`),
    value: daysOf(spanOf(period)),
  }))
  return {
    several: choiceOf("multiselect"),
    one: choiceOf("radio"),
    /** Medusa's filter of dates with whole months added. */
    dates: (id: string, label: string): DataTableFilter[] =>
      medusas.flatMap((one) =>
        one.id === "created_at" && one.type === "date"
          ? [{ ...one, id, label: t(label), options: [...one.options, ...months] }]
          : []
      ),
  }
}

/** The accounts of the options, for a choice; none for a single account. */
export function useAccountsToChoose(): string[] {
  const { data } = useRead("connection", {}, { staleTime: 10 * 60_000, retry: false })
  const ids = (data?.accounts ?? []).flatMap(({ id }) => id ?? [])
  return ids.length > 1 ? ids : []
}

/** A choice that the address bar keeps. */
function useAddressChoice(name: "account" | "period") {
  const { t } = useFormat()
  const [, change] = useAddress()
  // An offset in one list means nothing in another.
  const onChoose = (chosen: string) => change({ [name]: chosen, offset: undefined })
  const label = t(`fields.${name}`)
  return { size: "small", className: "w-fit", "aria-label": label, onChoose } as const
}

/** Chooses the account whose merchant's list is shown, by default the first. A store with one account has no choice. */
export const AccountSelect = ({ account }: { account: string | undefined }) => {
  const choice = useAddressChoice("account")
  const accounts = useAccountsToChoose()
  const [first] = accounts
  if (first === undefined) return null
  return <Choice {...choice} value={account ?? first} options={accounts} />
}

export const PeriodSelect = ({ period }: { period: Period }) => {
  const { t } = useFormat()
  const choice = useAddressChoice("period")
  return (
    <Choice {...choice} value={period} options={PERIODS} nameOf={(one) => t(`periods.${one}`)} />
  )
}

const Searched = createContext<[text: string, search: (text: string) => void]>(["", () => {}])

/** The text that is searched for on this page, and a function that searches for another one. */
export const useSearched = () => useContext(Searched)

/** The last search of each page, for the way back to it. */
const last = new Map<string, string>()

interface SearchProps {
  /** Masks parts of a text that are not to be kept, not even in memory. */
  mask?: (text: string) => string
  children: ReactNode
}

/** Keeps what is searched for: an e-mail address or a name, which no address bar, history or log must have. */
export const Search = ({ mask = (text) => text, children }: SearchProps) => {
  const [params, setParams] = useSearchParams()
  const { pathname } = useLocation()
  const isBack = useNavigationType() === NavigationType.Pop
  const written = params.get("q")
  const given = written === null ? null : mask(written)
  const [text, setText] = useState(given ?? (isBack ? last.get(pathname) : null) ?? "")
  const search = (searched: string) => {
    last.set(pathname, mask(searched))
    setText(mask(searched))
  }
  useEffect(() => {
    if (given === null) return
    last.set(pathname, given)
    setText(given)
    setParams(
      (before) => {
        before.delete("q")
        return before
      },
      { replace: true }
    )
  }, [given, pathname, setParams])
  return <Searched.Provider value={[text, search]}>{children}</Searched.Provider>
}
