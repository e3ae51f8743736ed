/** The part of an address bar that a list reads: each filter's value is JSON there, as Medusa's table writes it. */

/**
 * Reads the value of a filter in the address bar; undefined when the filter is there and nothing was chosen yet. Text that
 * is no JSON stands for itself, because addresses are written by hand, too.
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

/** One of the codes that a filter offers. */
export function codeIn(filter: string | null | undefined): string | undefined {
  const [code] = codesIn(filter) ?? []
  return code
}

/** The codes that were chosen of those that a filter offers. */
export function codesIn(filter: string | null | undefined): string[] | undefined {
  const codes = [chosenIn(filter)]
    .flat()
    .filter((code) => ["string", "number", "boolean"].includes(typeof code))
  return codes.length > 0 ? codes.map(String) : undefined
}

/** The codes of a filter of which several may be chosen; none when it holds anything else. */
export function severalIn(filter: string | null | undefined): string[] {
  return Array.isArray(chosenIn(filter)) ? (codesIn(filter) ?? []) : []
}

/** The dates of a filter as moments, `to` not included: the last day that was chosen belongs to it as a whole. */
export function datesIn(filter: string | null | undefined): { from?: string; to?: string } {
  const dates = chosenIn(filter)
  if (typeof dates !== "object" || dates === null) return {}
  const { $gte, $lte } = dates as { $gte?: unknown; $lte?: unknown }
  const [from, last] = [moment($gte), moment($lte)]
  return {
    ...(from ? { from: from.toISOString() } : {}),
    ...(last ? { to: new Date(last.setHours(24, 0, 0, 0)).toISOString() } : {}),
  }
}

/** A moment of the last day that ends with `to`, which is not included. */
export const lastDayBefore = (to: string): string => new Date(Date.parse(to) - 1).toISOString()

function moment(text: unknown): Date | null {
  const date = typeof text === "string" ? new Date(text) : null
  return date && !Number.isNaN(date.getTime()) ? date : null
}
