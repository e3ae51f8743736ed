export const PERIODS = [
  "today",
  "yesterday",
  "last_7_days",
  "last_30_days",
  "last_90_days",
] as const
export type Period = (typeof PERIODS)[number]

/** The period that the address bar names, among those that a page offers. */
export function periodIn(
  named: string | null | undefined,
  offered: readonly Period[] = PERIODS
): Period {
  return offered.find((one) => one === named) ?? "last_7_days"
}

/** A period in whole days of the admin's time zone, so that the same question has the same answer for a while. */
export function spanOf(period: Period): { from: string; to: string; time_zone: string } {
  const now = new Date()
  const midnight = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString()
  const [first, end] = {
    today: [0, 1],
    yesterday: [-1, 0],
    last_7_days: [-6, 1],
    last_30_days: [-29, 1],
    last_90_days: [-89, 1],
  }[period] as [number, number]
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return { from: midnight(first), to: midnight(end), time_zone }
}
