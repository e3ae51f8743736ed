import { clockOf } from "../../settlement/local-days"
import { type Code, type Text, text } from "../../texts"

export type Locale = keyof Text
export type Cell = string | number | null

/** The language of whoever reads a file, and how the reader's clock on the wall shows a moment: `YYYY-MM-DD HH:mm:ss`. */
export type Reader = ReturnType<typeof readerOf>
export function readerOf(locale: Locale, timeZone: string) {
  return { locale, timeZone, clock: clockOf(timeZone) }
}

/** Defines how rows become a table. */
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
