/** Days of time zones other than the browser's own. */

const DAY = 24 * 60 * 60_000

/** The time on the clocks of a time zone, in milliseconds as if they were in UTC. */
function wallOf(moment: number, zone: string): number {
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

/** The beginning of a day, given as midnight in UTC; where the clocks of the zone skip midnight, the first moment after it. */
function beginningOf(day: number, zone: string): string {
  const offset = (moment: number) => wallOf(moment, zone) - moment
  // The offset before and the one after are tried, because they differ around a change of the clocks.
  const earlier = day - offset(day - DAY / 2)
  const later = day - offset(day + DAY / 2)
  const exact = [earlier, later].find((moment) => wallOf(moment, zone) === day)
  return new Date(exact ?? Math.max(earlier, later)).toISOString()
}

/** The beginning of today in a time zone, or of a day that is so many days later. */
export function midnightIn(zone: string, days: number, now: Date): string {
  const today = Math.floor(wallOf(now.getTime(), zone) / DAY) * DAY
  return beginningOf(today + days * DAY, zone)
}

/** The beginning in a time zone of the day that a moment has in the browser's, or of a day that is so many days later. */
export function sameDayIn(zone: string, iso: string, days = 0): string {
  const date = new Date(iso)
  return beginningOf(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate() + days), zone)
}
