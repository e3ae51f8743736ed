import type { Text } from "../../settlement/problems/words"

export type Locale = keyof Text
export type Cell = string | number | Date | null

/** How rows are written as a table. */
export interface Table<Row> {
  /** The name of a workbook's sheet. */
  sheet: Text
  /** `format` is Excel's, for numbers and dates. */
  columns: readonly { title: Text; width: number; format?: string }[]
  /** A line's cells. Numbers are numbers, so that tables can add them up. */
  cells: (row: Row) => Cell[]
  /** The same for a workbook, if it has better cells for something. */
  workbookCells?: (row: Row) => Cell[]
  /** Adds up a workbook's rows, and tells the rows of totals at its end. */
  totals: () => { add: (row: Row) => void; rows: (locale: Locale) => Cell[][] }
}
