import { stringify } from "csv-stringify/sync"

import type { Reader, Table } from "./table"

/** The signs of spreadsheets in each language: Russian ones use a comma for the decimal point. */
const SIGNS = {
  en: { delimiter: ",", decimal: "." },
  ru: { delimiter: ";", decimal: "," },
}

/**
 * The place before a sign that begins a formula: at a text's beginning, and wherever a spreadsheet may begin a new cell, because a
 * Russian one parts the English file at semicolons, within quotes, too.
 */
const BEFORE_FORMULA = /(?=[=+\-@\t\r＝＋－＠])(?<=(?:^|[;,\t\r\n])[" ]*)/g

/** A table as CSV in UTF-8, with the mark by which spreadsheets recognise that. A text that looks like a formula stays text. */
export async function* csvFile<Row>(
  batches: AsyncIterable<Row[]>,
  { columns }: Table<Row>,
  reader: Reader
): AsyncGenerator<Buffer, void, undefined> {
  const { delimiter, decimal } = SIGNS[reader.locale]
  const options = {
    delimiter,
    record_delimiter: "\r\n",
    quoted_string: true,
    cast: {
      string: (text: string) => text.replace(BEFORE_FORMULA, "'"),
      number: (value: number) => String(value).replace(".", decimal),
    },
  }
  const titles = columns.map(({ title }) => title[reader.locale])
  yield Buffer.from(`\uFEFF${stringify([titles], options)}`)
  for await (const rows of batches) {
    const lines = rows.map((row) => columns.map(({ value }) => value(row, reader)))
    yield Buffer.from(stringify(lines, options))
  }
}
