import { stringify } from "csv-stringify/sync"

import type { Cell, Locale, Table } from "./table"
import { textOfDate } from "./wall-clock"

/** How spreadsheets of each language read a file: Russian ones take a comma for the decimal point. */
const SIGNS = {
  en: { delimiter: ",", decimal: "." },
  ru: { delimiter: ";", decimal: "," },
}

/** A text that is written as it is in every CSV: it has no sign that divides or quotes, and begins no formula. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N} .:_-]*$/u
/** How many texts, and how long ones, are kept together with the way they are written. */
const MOST_KNOWN = 500
const LONGEST_KNOWN = 200
const LINE_END = "\r\n"

/** A table as CSV in UTF-8, by whose mark spreadsheets know it. Text that looks like a formula stays text. */
export async function* csvFile<Row>(
  batches: AsyncIterable<Row[]>,
  locale: Locale,
  { columns, cells }: Table<Row>
): AsyncGenerator<Buffer, void, undefined> {
  const { delimiter } = SIGNS[locale]
  const cellText = cellTexts(locale)
  const lineOf = (line: Cell[]) => line.map(cellText).join(delimiter) + LINE_END
  yield Buffer.from(`\uFEFF${lineOf(columns.map(({ title }) => title[locale]))}`)
  for await (const batch of batches) {
    yield Buffer.from(batch.map((row) => lineOf(cells(row))).join(""))
  }
}

/**
 * Writes cells. `csv-stringify` quotes texts and makes formulas harmless. Texts that need neither are not given to it,
 * because it would take longer over them than all the rest of an export does; most others are the same few again and
 * again.
 */
function cellTexts(locale: Locale): (cell: Cell) => string {
  const { delimiter, decimal } = SIGNS[locale]
  const options = {
    ...{ delimiter, record_delimiter: LINE_END, eof: false },
    // A text may have lines of its own.
    quote_record_delimiter: true,
    escape_formulas: true,
  }
  const known = new Map<string, string>()
  const ofText = (text: string) => {
    if (text === "" || PLAIN.test(text)) return text
    const before = known.get(text)
    if (before !== undefined) return before
    const written = stringify([[text]], options)
    if (text.length <= LONGEST_KNOWN) {
      if (known.size === MOST_KNOWN) known.clear()
      known.set(text, written)
    }
    return written
  }
  return (cell) => {
    if (cell === null) return ""
    // Numbers are left as they are, negative ones, too.
    if (typeof cell === "number") return String(cell).replace(".", decimal)
    return ofText(typeof cell === "string" ? cell : textOfDate(cell))
  }
}
