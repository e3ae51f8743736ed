/** Days and times of time zones other than the browser's own. */

const DAY = 24 * 60 * 60_000

/** The time on the clocks of a time zone, in milliseconds as if they were in UTC. */
function wallOf(moment: number, zone: string | undefined): number {
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  })
  for (const { type, value } of format.formatToParts(moment)) shown[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
  return Date.UTC(year, month - 1, day, hour, minute, second)
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
export function midnightIn(zone: string, days: number, now: Date): string {
  const today = Math.floor(wallOf(now.getTime(), zone) / DAY) * DAY
  return momentOf(today + days * DAY, zone)
}

/** The moment at which the clocks of a zone show the time that a moment has in the browser's, or so many days later. */
export function sameTimeIn(zone: string, shown: Date, days = 0): string {
  const [year, month, day] = [shown.getFullYear(), shown.getMonth(), shown.getDate() + days]
  return momentOf(Date.UTC(year, month, day, shown.getHours(), shown.getMinutes()), zone)
}
