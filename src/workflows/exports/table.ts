import type { Text } from "../../settlement/problems/words"

export type Locale = keyof Text
export type Cell = string | number | Date | null

/** Defines how rows become a table. */
export interface Table<Row> {
  /** The name of a workbook's sheet. */
  sheet: Text
  /** `format` is Excel's, for numbers and dates. */
  columns: readonly { title: Text; width: number; format?: string }[]
  /** A line's cells. Numbers stay numbers, so that spreadsheets can add them up. */
  cells: (row: Row) => Cell[]
  /** The cells for a workbook, where they differ. */
  workbookCells?: (row: Row) => Cell[]
  /** Adds up a workbook's rows, and returns the rows of totals for its end. */
  totals: () => { add: (row: Row) => void; rows: (locale: Locale) => Cell[][] }
}
