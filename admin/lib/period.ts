import { datesIn } from "./address"

/** The first day and the end of each period: days counted from today, or first days of months counted from this one. */
const PERIOD_DAYS = {
  today: { days: [0, 1] },
  yesterday: { days: [-1, 0] },
  last_7_days: { days: [-6, 1] },
  last_30_days: { days: [-29, 1] },
  last_90_days: { days: [-89, 1] },
  this_month: { months: [0, 1] },
  last_month: { months: [-1, 0] },
} as const satisfies Record<string, Partial<Record<Step, readonly [number, number]>>>
type Step = "days" | "months"
export type Period = keyof typeof PERIOD_DAYS
export const PERIODS = Object.keys(PERIOD_DAYS) as Period[]

const DAY_MS = 24 * 60 * 60_000

/** The period in the address bar, if there is such a one. */
export const periodIn = (named: string | null): Period =>
  PERIODS.find((one) => one === named) ?? "last_7_days"

/** A period in whole days of the browser's clocks, so that repeated questions are the same for a while. */
export function spanOf(period: Period, now: Date = new Date()) {
  const [[step, [first, end]]] = Object.entries(PERIOD_DAYS[period]) as [[Step, [number, number]]]
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const at = (count: number) =>
    (step === "days"
      ? new Date(year, month, day + count)
      : new Date(year, month + count)
    ).toISOString()
  return { from: at(first), to: at(end), time_zone: ownZone() }
}

/** The browser's time zone; null where it names none that `Intl` takes, as on a machine without one. */
export function browsersZone(): string | null {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string }
  try {
    return Intl.DateTimeFormat("en", { timeZone: timeZone ?? "" }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

export const ownZone = (): string => browsersZone() ?? "UTC"

/** The dates of a filter with both ends, if it has one: 90 days before its end, and the end of today. */
export function spanIn(filter: string | null): { from: string; to: string } | null {
  const dates = datesIn(filter)
  const { to = spanOf("today").to } = dates
  const { from = new Date(Date.parse(to) - 90 * DAY_MS).toISOString() } = dates
  return (dates.from ?? dates.to) ? { from, to } : null
}
