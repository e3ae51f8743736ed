/** Filters of a list in the address bar: each value is JSON there, as Medusa's table writes it. */

import { type NavigateOptions, useSearchParams } from "react-router-dom"

export const PAGE_SIZE = 20

/** Rows and statuses are counted up to this number. */
export const MOST_COUNTED = 10_000

/** The parameters in the address bar, and a function that changes parts of it; undefined takes a part away. */
export function useAddress() {
  const [params, setParams] = useSearchParams()
  const change = (parts: Record<string, string | undefined>, options?: NavigateOptions) =>
    setParams((before) => {
      for (const [name, value] of Object.entries(parts)) {
        if (value === undefined) before.delete(name)
        else before.set(name, value)
      }
      return before
    }, options)
  return [params, change] as const
}

type Filter = string | null | undefined

/** Text that is not JSON is taken as it is, because people write addresses by hand, too. */
function parsed(filter: string): unknown {
  try {
    return JSON.parse(filter) as unknown
  } catch {
    return filter
  }
}

/** The value of a filter in the address bar; undefined for a filter without a choice. */
export function chosenIn(filter: Filter): unknown {
  const chosen = filter ? parsed(filter) : undefined
  return chosen === null || chosen === "" ? undefined : chosen
}

/** The same for Medusa's table, whose single choices are texts, and whose menu adds a filter without a choice. */
export function valueIn(filter: string, isSeveral: boolean): unknown {
  if (isSeveral) return codesIn(filter) ?? []
  const value = parsed(filter)
  return typeof value === "boolean" ? filter : value
}

export const codeIn = (filter: Filter): string | undefined => codesIn(filter)?.[0]

export function codesIn(filter: Filter): string[] | undefined {
  const codes = [chosenIn(filter)]
    .flat()
    .filter((code) => ["string", "number", "boolean"].includes(typeof code))
  return codes.length > 0 ? codes.map(String) : undefined
}

/** The filters of these names in the form of the routes: a single code as text, several as a list. */
export function filtersIn(params: URLSearchParams, names: readonly string[]) {
  const given = names.map((name) => [name, codesIn(params.get(name))] as const)
  return Object.fromEntries(
    given.flatMap(([name, codes]) => (codes ? [[name, codes.length > 1 ? codes : codes[0]]] : []))
  )
}

/** The order and the page of a list, in the form of the routes. */
export function pageIn(params: URLSearchParams, byDefault?: string) {
  const order = params.get("order") ?? byDefault
  const offset = Number(params.get("offset") ?? 0)
  return { ...(order ? { order } : {}), limit: PAGE_SIZE, offset }
}

/** The dates of a filter as moments. `to` is excluded: it is the end of the last chosen day. */
export function datesIn(filter: Filter): { from?: string; to?: string } {
  const { $gte, $lte } = Object(chosenIn(filter)) as { $gte?: unknown; $lte?: unknown }
  const [from, last] = [$gte, $lte].map((one) => new Date(typeof one === "string" ? one : NaN))
  return {
    ...(isMoment(from) ? { from: from.toISOString() } : {}),
    ...(isMoment(last) ? { to: new Date(last.setHours(24, 0, 0, 0)).toISOString() } : {}),
  }
}

const isMoment = (date: Date | undefined): date is Date => !Number.isNaN(date?.getTime() ?? NaN)

/** A moment in the last day before the excluded end `to`. */
export const lastDayBefore = (to: string): string => new Date(Date.parse(to) - 1).toISOString()

/** The address of a filtered list; Medusa's table writes a single choice as a text of JSON. */
function listAt(path: string, filters: Record<string, unknown>): string {
  const written = Object.entries(filters).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ])
  return `/payment-service/${path}?${new URLSearchParams(written).toString()}`
}

export const transactionsAt = (filters: Record<string, unknown>) => listAt("transactions", filters)

export const problemsAt = (filters: Record<string, unknown>) => listAt("problems", filters)

/** The filter includes the whole of its last day. */
export const daysOf = ({ from, to }: { from: string; to: string }) => ({
  $gte: from,
  $lte: lastDayBefore(to),
})

export const isUuid = (text: string): boolean =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

interface GivenPayout {
  problemId: string | null
  orderId: string | null
  /** Decimal text, in rubles; it may have kopecks, and be too much for one payout. */
  amount: string | null
  account: string | null
}

/** The page for a new payout, filled in with the money to pay back. */
export function newPayoutAt({ problemId, orderId, amount, account }: GivenPayout): string {
  // The list behind it has a filter named `account`.
  const given = { problem_id: problemId, order_id: orderId, amount, from_account: account }
  const filled = Object.entries(given).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]]
  )
  return `/payment-service/payouts/new?${new URLSearchParams(filled)}`
}
