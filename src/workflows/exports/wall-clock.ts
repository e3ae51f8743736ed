/** Converts moments to the wall clock of a time zone, as a date in UTC of whole seconds. */
export function wallClockIn(timeZone: string): (moment: Date) => Date {
  // Swedes write dates and times as `dateOfText` reads them.
  const swedish = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  })
  return (moment) => dateOfText(swedish.format(moment)) ?? moment
}

/** Reads a date and time in the service's form, `YYYY-MM-DD HH:mm:ss`; null for any other text. */
export function dateOfText(text: string): Date | null {
  const isSpecified = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)
  const date = isSpecified ? new Date(`${text.replace(" ", "T")}Z`) : null
  return date && !Number.isNaN(date.getTime()) ? date : null
}

/** Writes a wall clock's time in the same form. */
export const textOfDate = (date: Date): string => date.toISOString().slice(0, 19).replace("T", " ")
