import { WallClock } from "../../settlement/local-days"

const QUARTER_MS = 15 * 60_000

/**
 * Converts moments to the wall clock of a time zone, as a date in UTC. Zones change their offset only at full quarters of an
 * hour, and asking for it is slow, so the last offset is kept: rows come in order of time.
 */
export function wallClockIn(timeZone: string): (moment: Date) => Date {
  const clock = new WallClock(timeZone)
  let known = { quarter: NaN, offsetMs: 0 }
  return (moment) => {
    const quarter = Math.floor(moment.getTime() / QUARTER_MS)
    if (quarter !== known.quarter) {
      const began = quarter * QUARTER_MS
      known = { quarter, offsetMs: clock.wallOf(new Date(began)) - began }
    }
    return new Date(moment.getTime() + known.offsetMs)
  }
}

/** Reads a date and time in the service's form, `YYYY-MM-DD HH:mm:ss`; null for any other text. */
export function dateOfText(text: string): Date | null {
  const isSpecified = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)
  const date = isSpecified ? new Date(`${text.replace(" ", "T")}Z`) : null
  return date && !Number.isNaN(date.getTime()) ? date : null
}

/** Writes a wall clock's time in the same form. */
export const textOfDate = (date: Date): string => date.toISOString().slice(0, 19).replace("T", " ")
