import { momentsIn } from "./address"

/** The first day and the end of each period, counted from today. */
const DAYS = {
  today: [0, 1],
  yesterday: [-1, 0],
  last_7_days: [-6, 1],
  last_30_days: [-29, 1],
  last_90_days: [-89, 1],
} as const
export type Period = keyof typeof DAYS
export const PERIODS = Object.keys(DAYS) as Period[]

/** The period in the address bar, if there is such a one. */
export const periodIn = (named: string | null): Period =>
  PERIODS.find((one) => one === named) ?? "last_7_days"

/** A period in whole days of a time zone, so that repeated questions are the same for a while. */
export function spanOf(period: Period, zone: string = ownZone(), now: Date = new Date()) {
  const [from, to] = DAYS[period].map((days) => midnightIn(zone, days, now)) as [string, string]
  return { from, to, time_zone: zone }
}

export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

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
export const zoneIn = (named: string | null): string =>
  zones().find((one) => one === named) ?? ownZone()

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

const DAY = 24 * 60 * 60_000

/** The time on the clocks of a time zone, in milliseconds as if they were in UTC. */
function wallOf(moment: number, timeZone: string | undefined): number {
  // Swedes write dates and times nearly as ISO 8601 does.
  const swedish = { timeZone, dateStyle: "short", timeStyle: "medium" } as const
  const shown = new Intl.DateTimeFormat("sv-SE", swedish).format(moment)
  return Date.parse(`${shown.replace(" ", "T")}Z`)
}

/** The moment of a time on the clocks of a zone, given as if it were in UTC; where they skip it, the first moment after it. */
function momentOf(time: number, zone: string): string {
  const offset = (moment: number) => wallOf(moment, zone) - moment
  // The offset before and the one after are tried, because they differ around a change of the clocks.
  const earlier = time - offset(time - DAY / 2)
  const later = time - offset(time + DAY / 2)
  const exact = [earlier, later].find((moment) => wallOf(moment, zone) === time)
  return new Date(exact ?? Math.max(earlier, later)).toISOString()
}

/** Whether a day begins then on the clocks of a time zone. */
export const isMidnightIn = (zone: string | undefined, iso: string): boolean =>
  wallOf(Date.parse(iso), zone) % DAY === 0

/** The beginning of today in a time zone, or of a day that is so many days later. */
function midnightIn(zone: string, days: number, now: Date): string {
  const today = Math.floor(wallOf(now.getTime(), zone) / DAY) * DAY
  return momentOf(today + days * DAY, zone)
}

/** The moment at which the clocks of a zone show the time that a moment has in the browser's, or so many days later. */
function sameTimeIn(zone: string, shown: Date, days = 0): string {
  const [year, month, day] = [shown.getFullYear(), shown.getMonth(), shown.getDate() + days]
  return momentOf(Date.UTC(year, month, day, shown.getHours(), shown.getMinutes()), zone)
}
