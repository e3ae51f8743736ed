import type { ExportFormat, ExportSource } from "../../modules/payment-service/models/entries"
import { clockOf } from "../../settlement/local-days"
import { type Code, type Text, text } from "../../texts"

export type Locale = keyof Text
export type Cell = string | number | null

/** The language of whoever reads a file, and how the reader's clock on the wall shows a moment: `YYYY-MM-DD HH:mm:ss`. */
export type Reader = ReturnType<typeof readerOf>
export function readerOf(locale: Locale, timeZone: string) {
  return { locale, timeZone, clock: clockOf(timeZone) }
}

export interface Table<Row> {
  /** The name of a workbook's sheet. */
  sheet: Text
  columns: Column<Row>[]
  /** Adds up a workbook's rows, and returns the rows of totals for its end. */
  totals: (locale: Locale) => { add: (row: Row) => void; rows: () => Cell[][] }
}

/** Numbers stay numbers, so that spreadsheets can add them up. Dates are texts of a clock, see `Reader`. */
type Value<Row> = (row: Row, reader: Reader) => Cell
type Column<Row> = { title: Text; width: number; value: Value<Row>; format?: string }

/** A column; its width in characters and Excel's format of its numbers or dates are for workbooks. */
export function column<Row>(
  code: Code<"columns">,
  width: number,
  value: Value<Row>,
  format?: string
): Column<Row> {
  return { title: text("columns", code), width, value, format }
}

export const DATE = "yyyy-mm-dd hh:mm:ss"

/** The facts in a file's name; `to` is the first moment after the period. */
export interface FileContent {
  source: ExportSource
  format: ExportFormat
  from?: Date
  to?: Date
}

/** A name such as `payouts_2026-11-01_2026-11-30.csv`, without filters, because one may be an e-mail address. */
export function fileName({ source, format, from, to }: FileContent, { locale, clock }: Reader) {
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
