import { stringify } from "csv-stringify/sync"

import type { Locale, Table } from "./table"
import { textOfDate } from "./wall-clock"

/** How spreadsheets of each language read a file: Russian ones take a comma for the decimal point. */
const SIGNS = {
  en: { delimiter: ",", decimal: "." },
  ru: { delimiter: ";", decimal: "," },
}

/** A table as CSV in UTF-8, by whose mark spreadsheets know it. Text that looks like a formula stays text. */
export async function* csvFile<Row>(
  batches: AsyncIterable<Row[]>,
  locale: Locale,
  { columns, cells }: Table<Row>
): AsyncGenerator<Buffer, void, undefined> {
  const { delimiter, decimal } = SIGNS[locale]
  const options = {
    delimiter,
    record_delimiter: "windows",
    // A text may have lines of its own.
    quote_record_delimiter: true,
    // Numbers are left as they are, negative ones, too.
    escape_formulas: true,
    cast: {
      number: (value: number) => String(value).replace(".", decimal),
      date: textOfDate,
    },
  }
  const titles = columns.map(({ title }) => title[locale])
  yield Buffer.from(stringify([titles], { ...options, bom: true }))
  for await (const batch of batches) {
    yield Buffer.from(stringify(batch.map(cells), options))
  }
}
