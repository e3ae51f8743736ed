import type { ReadableStream } from "node:stream/web"

import { stringify } from "csv-stringify/sync"

import type { ExportRecordRow } from "../modules/payment-service/tables"
import { type Code, type Text, text } from "../texts"
import { clockOf } from "../values/local-days"

export type Locale = keyof Text
export type Cell = string | number | null

/** The language of a file's reader, and how the clock on their wall shows a moment: `YYYY-MM-DD HH:mm:ss`. */
export type Reader = ReturnType<typeof readerOf>
export function readerOf(locale: Locale, timeZone: string) {
  return { locale, timeZone, clock: clockOf(timeZone) }
}

export interface Table<Row> {
  sheet: Text
  columns: ReturnType<typeof column<Row>>[]
  /** Adds up a workbook's rows, and returns the rows of totals for its end. */
  totals: (locale: Locale) => { add: (row: Row) => void; rows: () => Cells[] }
}

type Cells = Partial<Record<Code<"columns">, Cell>>

/** Width (in characters) and Excel's format are for workbooks. Numbers stay numbers, so that they can be added up; dates are texts. */
export const column = <Row>(
  code: Code<"columns">,
  width: number,
  value: (row: Row, reader: Reader) => Cell | undefined,
  format?: string
) => ({ code, title: text("columns", code), width, value, format })

export const DATE = "yyyy-mm-dd hh:mm:ss"

export interface FileContent {
  source: ExportRecordRow["source"]
  format: ExportRecordRow["format"]
  from?: Date
  /** The first moment after the period. */
  to?: Date
}

/** A name such as `payouts_2026-11-01_2026-11-30.csv`, without filters, because one may be an e-mail address. */
function fileName({ source, format, from, to }: FileContent, { locale, clock }: Reader) {
  const word = (code: Code<"fileNames">, day = "") => text("fileNames", code, { day })[locale]
  const first = from && clock(from).slice(0, 10)
  const last = to && clock(new Date(to.getTime() - 1)).slice(0, 10)
  const begin = first && (last ? first : word("from", first))
  const end = last && (first ? last : word("until", last))
  const name = [word(source), begin, end === begin ? undefined : end]
  return `${name.filter(Boolean).join("_")}.${format}`
}

/** The header that gives a file its name in the reader's language, and in English for programs that know ASCII alone. */
export function contentDisposition(content: FileContent, reader: Reader): string {
  const english = fileName(content, readerOf("en", reader.timeZone))
  const own = encodeURIComponent(fileName(content, reader))
  return `attachment; filename="${english}"; filename*=UTF-8''${own}`
}

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

/** A formula may begin a text, or a cell within it: a Russian spreadsheet parts the English file at semicolons, within quotes, too. */
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

async function* linesOf<Row>(batches: AsyncIterable<Row[]>, table: Table<Row>, reader: Reader) {
  const total = table.totals(reader.locale)
  for await (const rows of batches) {
    for (const row of rows) {
      total.add(row)
      yield table.columns.map(({ value, format }) => {
        const cell = value(row, reader) ?? null
        return format === DATE && typeof cell === "string" ? (dateIn(cell) ?? cell) : cell
      })
    }
  }
  for (const cells of total.rows()) yield table.columns.map(({ code }) => cells[code] ?? null)
}

/** The date and time in a text, as if its clock were one in UTC; null for a text in any other form. */
function dateIn(text: string): Date | null {
  const isDate = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)
  const date = new Date(isDate ? `${text.replace(" ", "T")}Z` : NaN)
  return Number.isNaN(date.getTime()) ? null : date
}
