/** Filters of a list in the address bar: each value is JSON there, as Medusa's table writes it. */

/**
 * Reads the value of a filter in the address bar; undefined for a filter without a choice. Text that is not JSON is taken as it
 * is, because people write addresses by hand, too.
 */
export function chosenIn(filter: string | null | undefined): unknown {
  if (!filter) return undefined
  try {
    const chosen = JSON.parse(filter) as unknown
    return chosen === null || chosen === "" ? undefined : chosen
  } catch {
    return filter
  }
}

/** The single code that a filter has. */
export function codeIn(filter: string | null | undefined): string | undefined {
  const [code] = codesIn(filter) ?? []
  return code
}

/** The codes that a filter has. */
export function codesIn(filter: string | null | undefined): string[] | undefined {
  const codes = [chosenIn(filter)]
    .flat()
    .filter((code) => ["string", "number", "boolean"].includes(typeof code))
  return codes.length > 0 ? codes.map(String) : undefined
}

/** The codes of a filter with several choices; none for any other value. */
export function severalIn(filter: string | null | undefined): string[] {
  return Array.isArray(chosenIn(filter)) ? (codesIn(filter) ?? []) : []
}

/** The dates of a filter as moments. `to` is excluded: it is the end of the last chosen day. */
export function datesIn(filter: string | null | undefined): { from?: string; to?: string } {
  const { first, last } = momentsIn(filter)
  return {
    ...(first ? { from: first.toISOString() } : {}),
    ...(last ? { to: new Date(last.setHours(24, 0, 0, 0)).toISOString() } : {}),
  }
}

/** The first and the last moment that are chosen in a filter of dates. */
export function momentsIn(filter: string | null | undefined): {
  first: Date | null
  last: Date | null
} {
  const dates = chosenIn(filter)
  if (typeof dates !== "object" || dates === null) return { first: null, last: null }
  const { $gte, $lte } = dates as { $gte?: unknown; $lte?: unknown }
  return { first: moment($gte), last: moment($lte) }
}

/** A moment in the last day before the excluded end `to`. */
export const lastDayBefore = (to: string): string => new Date(Date.parse(to) - 1).toISOString()

function moment(text: unknown): Date | null {
  const date = typeof text === "string" ? new Date(text) : null
  return date && !Number.isNaN(date.getTime()) ? date : null
}
