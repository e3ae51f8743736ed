/** A span of time, from its beginning up to and without its end. */
export interface Period {
  from: Date
  to: Date
}

/** A day, or the part of it that lies in a period. */
export interface LocalDay extends Period {
  /** `YYYY-MM-DD` */
  day: string
}

const DAY = 24 * 60 * 60_000

/** Whether this is the name of a time zone. Offsets such as `+03:00` are refused, because people read their sign both ways. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }))
  } catch {
    return false
  }
}

/** How the wall clock of a time zone shows a moment: `YYYY-MM-DD HH:mm:ss`. */
export function clockOf(timeZone: string): (moment: Date) => string {
  // Swedes write dates and times like that.
  const swedish = { timeZone, dateStyle: "short", timeStyle: "medium" } as const
  const format = new Intl.DateTimeFormat("sv-SE", swedish)
  return (moment) => format.format(moment)
}

/** The days of a time zone that a period touches; the first and the last may be parts of days. */
export function daysOf({ from, to }: Period, timeZone: string): LocalDay[] {
  const { wallOf, momentOf } = wallClock(timeZone)
  const days: LocalDay[] = []
  let wall = Math.floor(wallOf(from) / DAY) * DAY
  for (let begins = from; begins < to;) {
    const ends = momentOf(wall + DAY)
    const day = new Date(wall).toISOString().slice(0, 10)
    days.push({ day, from: begins, to: ends < to ? ends : to })
    begins = ends
    wall += DAY
  }
  return days
}

/** The period before, as long by wall clock; before one that is not over, only as far as that has passed. */
export function periodBefore({ from, to }: Period, now: Date, timeZone: string): Period {
  const { wallOf, momentOf } = wallClock(timeZone)
  const length = wallOf(to) - wallOf(from)
  const before = (moment: Date) => momentOf(wallOf(moment) - length)
  return { from: before(from), to: now > from && now < to ? before(now) : from }
}

/** The last days, today included. */
export function lastLocalDays(count: number, now: Date, timeZone: string): Period {
  const { wallOf, momentOf } = wallClock(timeZone)
  const today = Math.floor(wallOf(now) / DAY) * DAY
  return { from: momentOf(today - (count - 1) * DAY), to: momentOf(today + DAY) }
}

/** Converts moments to the wall clock of a time zone, written as milliseconds as if it were UTC. */
function wallClock(timeZone: string) {
  const shown = clockOf(timeZone)
  const wallOf = (moment: Date) => {
    const parts = shown(moment).split(/\D/).map(Number)
    const [year = 0, month = 1, day, hour, minute, second] = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) + moment.getUTCMilliseconds()
  }
  const offset = (moment: number) => wallOf(new Date(moment)) - moment
  /** The moment at which the wall clock shows `wall`; where the clock is set forward over it, the first moment after that. */
  const momentOf = (wall: number) => {
    // The offset before and the one after are tried, because they differ around a change of the clock.
    const earlier = wall - offset(wall - DAY / 2)
    if (offset(earlier) === wall - earlier) return new Date(earlier)
    const later = wall - offset(wall + DAY / 2)
    return new Date(offset(later) === wall - later ? later : Math.max(earlier, later))
  }
  return { wallOf, momentOf }
}
