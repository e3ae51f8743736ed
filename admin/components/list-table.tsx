import { DataTable, type DataTableProps } from "@medusajs/dashboard/components"
import { Text } from "@medusajs/ui"
import { type ReactNode, useEffect } from "react"
import { useSearchParams } from "react-router-dom"

import { chosenIn, codesIn } from "../lib/address-filters"
import type { Page } from "../lib/api"
import { useFormat } from "../lib/format"
import { MOST_COUNTED, PAGE_SIZE } from "../lib/lists"
import { Failed } from "./failed"

interface ListTableProps<Row> extends Omit<
  DataTableProps<Row>,
  "data" | "rowCount" | "pageSize" | "isLoading" | "emptyState"
> {
  /** The read of this page of the list. */
  answer: {
    data: Page | undefined
    isPending: boolean
    isError: boolean
    error: unknown
    refetch: () => unknown
  }
  rows: Row[] | undefined
  /** The key of the heading and description of a list without rows, and of one in which nothing was found. */
  empty: string
  filtered?: string | { custom: ReactNode }
  /** The names of the filters with several choices. */
  several?: readonly string[]
}

/**
 * A page of a list in Medusa's table, as the address bar asks for it. Where it could not be read, it says why; search and filters stay
 * above that, because one of them may be the cause.
 */
export function ListTable<Row>({
  answer,
  rows = [],
  empty,
  filtered,
  several = [],
  ...table
}: ListTableProps<Row>) {
  const { t } = useFormat()
  const { data, isPending, isError, error, refetch } = answer
  useExistingPage(data)
  useCodesAsLists(several)
  const failed = isError && { custom: <Failed error={error} retry={refetch} /> }
  const said = (key: string) => ({
    heading: t(`${key}.heading`),
    description: t(`${key}.description`),
  })
  return (
    <DataTable
      {...table}
      data={rows}
      rowCount={data?.count ?? 0}
      pageSize={PAGE_SIZE}
      isLoading={isPending}
      emptyState={{
        empty: failed || said(empty),
        filtered: failed || (typeof filtered === "string" ? said(filtered) : filtered),
      }}
    />
  )
}

/** Says on the last page of a list whose rows are not all counted that there may be more; nothing elsewhere. */
export const LastCounted = ({ answer }: { answer: Page | undefined }) => {
  const { t, number } = useFormat()
  if (!answer || answer.count < MOST_COUNTED || answer.offset + answer.limit < answer.count) {
    return null
  }
  return (
    <Text size="small" className="text-ui-fg-subtle border-t px-6 py-4">
      {t("lists.lastCounted", { number: number(MOST_COUNTED) })}
    </Text>
  )
}

/** The directions of a sorted column, from the one that is chosen first. */
const DIRECTIONS = {
  time: ["oldest", "newest"],
  sum: ["least", "most"],
  text: ["a_to_z", "z_to_a"],
} as const

/** A column's header by which the list can be sorted, for values of this kind. */
export function sortedBy(
  t: ReturnType<typeof useFormat>["t"],
  header: string,
  kind: keyof typeof DIRECTIONS
) {
  const [ascending, descending] = DIRECTIONS[kind]
  return {
    header: t(header),
    enableSorting: true,
    sortLabel: t(header),
    sortAscLabel: t(`sorting.${ascending}`),
    sortDescLabel: t(`sorting.${descending}`),
  }
}

/**
 * Leads from a page of a list that no longer exists to the first one: filters may be set on a later page, and handled rows leave
 * the list.
 */
function useExistingPage(answer: Page | undefined): void {
  const [, setParams] = useSearchParams()
  const isBeyond = answer !== undefined && answer.count > 0 && answer.offset >= answer.count
  useEffect(() => {
    if (!isBeyond) return
    setParams(
      (params) => {
        params.delete("offset")
        return params
      },
      { replace: true }
    )
  }, [isBeyond, setParams])
}

/**
 * Writes single codes in the address bar (`state=paid`) as lists, because Medusa's table for several choices would split a single
 * one into letters.
 */
function useCodesAsLists(names: readonly string[]): void {
  const [params, setParams] = useSearchParams()
  const single = names
    .filter((name) => ["string", "number", "boolean"].includes(typeof chosenIn(params.get(name))))
    .join(" ")
  useEffect(() => {
    if (!single) return
    setParams(
      (before) => {
        for (const name of single.split(" ")) {
          before.set(name, JSON.stringify(codesIn(before.get(name))))
        }
        return before
      },
      { replace: true }
    )
  }, [single, setParams])
}
