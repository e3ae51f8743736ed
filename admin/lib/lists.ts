import { lastDayBefore } from "./address-filters"

/** Addresses of filtered lists; Medusa's table writes filter values as JSON into the address bar. */
function listAt(path: string, filters: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    params.set(name, typeof value === "string" ? value : JSON.stringify(value))
  }
  return `/payment-service/${path}?${params.toString()}`
}

export const transactionsAt = (filters: Record<string, unknown>) => listAt("transactions", filters)

export const problemsAt = (kind: string) => listAt("problems", { kind: [kind] })

/** The latest problems, open and closed. Medusa's table writes a single choice as a text of JSON. */
export const LATEST_PROBLEMS = listAt("problems", { status: JSON.stringify("all") })

export const PAGE_SIZE = 20

/** The page of a list that the address bar asks for, in the form of the routes. */
export const pageAt = (offset: string | undefined) => ({
  limit: PAGE_SIZE,
  offset: offset ? Number(offset) : 0,
})

/** Rows and statuses are counted up to this number. */
export const MOST_COUNTED = 10_000

/** The filter includes the whole of its last day. */
const daysOf = ({ from, to }: { from: string; to: string }) => ({
  $gte: from,
  $lte: lastDayBefore(to),
})

/** Transactions that were opened in a period. */
export const openedIn = (span: { from: string; to: string }) => ({ opened_at: daysOf(span) })

/** Transactions that a read first showed paid in a period. */
export const paidIn = (span: { from: string; to: string }) => ({ paid_at: daysOf(span) })

/** Records that the service made in a period. */
export const recordedIn = (span: { from: string; to: string }) => ({ created_at: daysOf(span) })
