import { momentsIn } from "./address-filters"
import { midnightIn, sameTimeIn } from "./time-zone"

export const PERIODS = [
  "today",
  "yesterday",
  "last_7_days",
  "last_30_days",
  "last_90_days",
] as const
export type Period = (typeof PERIODS)[number]

/** The period in the address bar, if there is such a one. */
export function periodIn(named: string | null | undefined): Period {
  return PERIODS.find((one) => one === named) ?? "last_7_days"
}

/** A period in whole days of a time zone, so that repeated questions are the same for a while. */
export function spanOf(
  period: Period,
  zone: string = ownZone(),
  now: Date = new Date()
): { from: string; to: string; time_zone: string } {
  const [first, end] = {
    today: [0, 1],
    yesterday: [-1, 0],
    last_7_days: [-6, 1],
    last_30_days: [-29, 1],
    last_90_days: [-89, 1],
  }[period] as [number, number]
  return {
    from: midnightIn(zone, first, now),
    to: midnightIn(zone, end, now),
    time_zone: zone,
  }
}

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time zones offered for the service's times: the admin's, UTC and those of Russia. */
export const zones = (): string[] => [...new Set([ownZone(), "UTC", ...RUSSIAN_ZONES])]

const RUSSIAN_ZONES = [
  "Europe/Kaliningrad",
  "Europe/Moscow",
  "Europe/Samara",
  "Asia/Yekaterinburg",
  "Asia/Omsk",
  "Asia/Krasnoyarsk",
  "Asia/Irkutsk",
  "Asia/Yakutsk",
  "Asia/Vladivostok",
  "Asia/Magadan",
  "Asia/Kamchatka",
]

/** The zone in the address bar, else the admin's own. */
export function zoneIn(named: string | null | undefined): string {
  return zones().find((one) => one === named) ?? ownZone()
}

/** The last moment of a day, as links of ours have it, stands for the day's end. */
const UP_TO_NEXT_MINUTE_MS = 59_999

/**
 * The times of a filter as times of a time zone: an end at midnight includes its day, an open beginning is 90 days before the end, an
 * open end the end of today. Null without a time.
 */
export function spanIn(
  filter: string | null | undefined,
  zone: string = ownZone(),
  now: Date = new Date()
): { from: string; to: string } | null {
  // The calendar answers with moments of the browser's zone, of which only what its clocks show is meant.
  const { first, last } = momentsIn(filter)
  if (last) {
    const isDay = last.getTime() === new Date(last).setHours(0, 0, 0, 0)
    const days = isDay ? 1 : 0
    const end = new Date(last.getTime() + (isDay ? 0 : UP_TO_NEXT_MINUTE_MS))
    return {
      from: first ? sameTimeIn(zone, first) : sameTimeIn(zone, end, days - 90),
      to: sameTimeIn(zone, end, days),
    }
  }
  if (!first) return null
  // The browser's today may be tomorrow there.
  const [, end = ""] = [midnightIn(zone, 1, now), sameTimeIn(zone, first, 1)].sort()
  return { from: sameTimeIn(zone, first), to: end }
}
