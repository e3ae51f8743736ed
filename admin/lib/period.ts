import { datesIn } from "./address-filters"

export const PERIODS = [
  "today",
  "yesterday",
  "last_7_days",
  "last_30_days",
  "last_90_days",
] as const
export type Period = (typeof PERIODS)[number]

/** The period in the address bar, if the page offers it. */
export function periodIn(
  named: string | null | undefined,
  offered: readonly Period[] = PERIODS
): Period {
  return offered.find((one) => one === named) ?? "last_7_days"
}

/** A period in whole days of the admin's time zone, so that repeated questions are the same for a while. */
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
  return { from: midnight(first), to: midnight(end), time_zone: ownZone() }
}

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time zones offered for the service's times: the admin's, UTC and those of Russia. */
export const zones = (): string[] => [...new Set([ownZone(), "UTC", ...RUSSIAN_ZONES])]

const RUSSIAN_ZONES = [
  ...["Europe/Kaliningrad", "Europe/Moscow", "Europe/Samara", "Asia/Yekaterinburg", "Asia/Omsk"],
  ...["Asia/Krasnoyarsk", "Asia/Irkutsk", "Asia/Yakutsk", "Asia/Vladivostok", "Asia/Magadan"],
  "Asia/Kamchatka",
]

/** The zone in the address bar, else the admin's own. */
export function zoneIn(named: string | null | undefined): string {
  return zones().find((one) => one === named) ?? ownZone()
}

/**
 * The dates of a filter, with both ends: an open beginning is 90 days before the end, an open end the end of today. Null without
 * a date.
 */
export function spanIn(filter: string | null | undefined): { from: string; to: string } | null {
  const dates = datesIn(filter)
  if (!dates.from && !dates.to) return null
  const to = dates.to ?? new Date(new Date().setHours(24, 0, 0, 0)).toISOString()
  const from = dates.from ?? new Date(Date.parse(to) - 90 * 24 * 60 * 60_000).toISOString()
  return { from, to }
}
