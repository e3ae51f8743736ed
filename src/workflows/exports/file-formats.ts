import type { ReadableStream } from "node:stream/web"

import { stringify } from "csv-stringify/sync"

import { DATE, type Reader, type Table } from "./table"

/** Records as a JSON array, each on a line of its own. */
export async function* jsonFile(batches: AsyncIterable<unknown[]>) {
  let before = "["
  for await (const records of batches) {
    if (!records.length) continue
    yield Buffer.from(before + records.map((record) => JSON.stringify(record)).join(",\n"))
    before = ",\n"
  }
  yield Buffer.from(before === "[" ? "[]" : "]")
}

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

/** A table as an Excel workbook, with a header and rows of totals. */
export async function* xlsxFile<Row>(
  batches: AsyncIterable<Row[]>,
  table: Table<Row>,
  reader: Reader
): AsyncGenerator<Uint8Array, void, undefined> {
  // The library has only ES modules, which other modules can load only by `import()`.
  const { writeXlsxStream } = await import("hucre/xlsx")
  const file = writeXlsxStream(linesOf(batches, table, reader), {
    name: table.sheet[reader.locale],
    columns: table.columns.map(({ title, width, format: numFmt }) => ({
      header: title[reader.locale],
      width,
      ...(numFmt ? { numFmt } : {}),
    })),
    freezePane: { rows: 1 },
  })
  // TypeScript 5 has browsers' types, which lack that the stream can be read in a loop.
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
  yield* file as ReadableStream<Uint8Array>
}

async function* linesOf<Row>(
  batches: AsyncIterable<Row[]>,
  { columns, totals }: Table<Row>,
  reader: Reader
) {
  const total = totals(reader.locale)
  for await (const rows of batches) {
    for (const row of rows) {
      total.add(row)
      yield columns.map(({ value, format }) => {
        const cell = value(row, reader)
        return format === DATE && typeof cell === "string" ? (dateIn(cell) ?? cell) : cell
      })
    }
  }
  yield* total.rows()
}

/** The date and time in a text, as if its clock were one in UTC; null for a text in any other form. */
function dateIn(text: string): Date | null {
  const isDate = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)
  const date = new Date(isDate ? `${text.replace(" ", "T")}Z` : NaN)
  return Number.isNaN(date.getTime()) ? null : date
}
