import { stringify } from "csv-stringify/sync"

import type { Cell, Locale, Table } from "./table"
import { textOfDate } from "./wall-clock"

/** The signs of spreadsheets in each language: Russian ones use a comma for the decimal point. */
const SIGNS = {
  en: { delimiter: ",", decimal: "." },
  ru: { delimiter: ";", decimal: "," },
}

/** A text that every CSV writes unchanged: it has no delimiter or quote, and begins no formula. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N} .:_-]*$/u
/** The number and the length of texts whose written form is kept. */
const MOST_KNOWN = 500
const LONGEST_KNOWN = 200
const LINE_END = "\r\n"

/** A table as CSV in UTF-8, with the mark by which spreadsheets recognise that. A text that looks like a formula stays text. */
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
 * Writes cells. `csv-stringify` quotes texts and makes formulas harmless. Texts that need neither skip it, because it would take
 * more time than the rest of the export; most other texts are a few that repeat.
 */
function cellTexts(locale: Locale): (cell: Cell) => string {
  const { delimiter, decimal } = SIGNS[locale]
  const options = {
    ...{ delimiter, record_delimiter: LINE_END, eof: false },
    // A text may contain line ends.
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
    // Numbers stay unchanged, negative ones, too.
    if (typeof cell === "number") return String(cell).replace(".", decimal)
    return ofText(typeof cell === "string" ? cell : textOfDate(cell))
  }
}
