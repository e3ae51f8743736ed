import type { Text } from "../../settlement/problems/words"
import { wallClockIn } from "./wall-clock"

export type Locale = keyof Text
export type Cell = string | number | Date | null

/** The language and the clock of whoever reads a file. `wall` gives the time on that clock as a date in UTC. */
export type Reader = ReturnType<typeof readerOf>
export const readerOf = (locale: Locale, timeZone: string) => ({
  locale,
  timeZone,
  wall: wallClockIn(timeZone),
})

/** Defines how rows become a table. */
export interface Table<Row> {
  /** The name of a workbook's sheet. */
  sheet: Text
  columns: Column<Row>[]
  /** Adds up a workbook's rows, and returns the rows of totals for its end. */
  totals: (locale: Locale) => { add: (row: Row) => void; rows: () => Cell[][] }
}

/** Numbers stay numbers, so that spreadsheets can add them up. A date is a wall clock's, see `Reader`. */
type Value<Row> = (row: Row, reader: Reader) => Cell
type Column<Row> = { title: Text; width: number; value: Value<Row>; format?: string }

export const DATE = "yyyy-mm-dd hh:mm:ss"

/** A column; its width in characters and Excel's format of its numbers or dates are for workbooks. */
export function column<Row>(
  en: string,
  ru: string,
  width: number,
  value: Value<Row>,
  format?: string
): Column<Row> {
  return { title: { en, ru }, width, value, format }
}
