const QUARTER_MS = 15 * 60_000

/**
 * Converts moments to the wall clock of a time zone, as a date in UTC. Zones change their offset only at full quarters of an
 * hour, and asking for it is slow, so the last offset is kept: rows come in order of time.
 */
export function wallClockIn(timeZone: string): (moment: Date) => Date {
  const format = new Intl.DateTimeFormat("en", {
    ...{ timeZone, hourCycle: "h23" },
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" },
  })
  let known = { quarter: NaN, offsetMs: 0 }
  return (moment) => {
    const quarter = Math.floor(moment.getTime() / QUARTER_MS)
    if (quarter !== known.quarter) {
      known = { quarter, offsetMs: offsetAt(format, quarter * QUARTER_MS) }
    }
    return new Date(moment.getTime() + known.offsetMs)
  }
}

function offsetAt(format: Intl.DateTimeFormat, time: number): number {
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, Number(value)])
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute) - time
}

/** Reads a date and time in the service's form, `YYYY-MM-DD HH:mm:ss`; null for any other text. */
export function dateOfText(text: string): Date | null {
  const isSpecified = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)
  const date = isSpecified ? new Date(`${text.replace(" ", "T")}Z`) : null
  return date && !Number.isNaN(date.getTime()) ? date : null
}

/** Writes a wall clock's time in the same form. */
export const textOfDate = (date: Date): string => date.toISOString().slice(0, 19).replace("T", " ")
