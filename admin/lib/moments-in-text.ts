/** As `time` of the server's texts writes them; a test compares the two. */
const IN_UTC = /(\d{1,2} [A-Z][a-z]+ \d{4}|\d{2}\.\d{2}\.\d{4}), (\d{2}:\d{2}) UTC/g

/**
 * Writes the moments in a sentence of the store's again, for the reader's own time zone. The store writes them in UTC, because it
 * does not know who reads the sentence.
 *
 * @param write writes a moment (ISO 8601)
 */
export function withOwnMoments(text: string, write: (iso: string) => string): string {
  return text.replace(IN_UTC, (written, day: string, time: string) => {
    const [date, month, year] = day.split(".")
    const moment = new Date(
      year ? `${year}-${month ?? ""}-${date ?? ""}T${time}Z` : `${day} ${time} UTC`
    )
    return Number.isNaN(moment.getTime()) ? written : write(moment.toISOString())
  })
}
