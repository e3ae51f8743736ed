import { momentsIn } from "./address"

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

/** The period in the address bar, if there is such a one. */
export const periodIn = (named: string | null): Period =>
  PERIODS.find((one) => one === named) ?? "last_7_days"

/** A period in whole days of a time zone, so that repeated questions are the same for a while. */
export function spanOf(period: Period, zone: string = ownZone(), now: Date = new Date()) {
  const [[step, [first, end]]] = Object.entries(PERIOD_DAYS[period]) as [[Step, [number, number]]]
  const at = (count: number) => midnightIn(zone, now, { [step]: count })
  return { from: at(first), to: at(end), time_zone: zone }
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
  const [, end = ""] = [midnightIn(zone, now, { days: 1 }), sameTimeIn(zone, first, 1)].sort()
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

/** The beginning in a time zone of the day that is so many days after today, or of the month that is so many after this one. */
function midnightIn(zone: string, now: Date, { days, months }: Partial<Record<Step, number>>) {
  const today = new Date(wallOf(now.getTime(), zone))
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()]
  const date = months === undefined ? day + (days ?? 0) : 1
  return momentOf(Date.UTC(year, month + (months ?? 0), date), zone)
}

/** The moment at which the clocks of a zone show the time that a moment has in the browser's, or so many days later. */
function sameTimeIn(zone: string, shown: Date, days = 0): string {
  const [year, month, day] = [shown.getFullYear(), shown.getMonth(), shown.getDate() + days]
  return momentOf(Date.UTC(year, month, day, shown.getHours(), shown.getMinutes()), zone)
}
