import type { ReadableStream } from "node:stream/web"

import { addAmounts } from "../../settlement/amount"
import { counted } from "../../settlement/problems/words"
import { cellsOf, COLUMNS, type ExportedRow, type Locale } from "./exported-row"
import { dateOfText } from "./wall-clock"

const SHEET = { en: "Transactions", ru: "Транзакции" }
const TOTAL = { en: "Total", ru: "Итого" }
const FORMATS: Partial<Record<keyof ExportedRow, string>> = {
  created: "yyyy-mm-dd hh:mm:ss",
  gross: "#,##0.00",
}
/** Excel takes no longer text. */
const LONGEST_TEXT = 32_767

type Row = ReturnType<typeof cellsOf>

/** A table as an Excel workbook, with a header and, for each currency, a row of totals. */
export async function* xlsxFile(
  batches: AsyncIterable<ExportedRow[]>,
  locale: Locale
): AsyncGenerator<Uint8Array, void, undefined> {
  // The library has only ES modules, which other modules can load only so.
  const { writeXlsxStream } = await import("hucre/xlsx")
  const file = writeXlsxStream(rowsOf(batches, locale), {
    name: SHEET[locale],
    columns: COLUMNS.map(({ name, title, width }) => ({
      ...{ header: title[locale], width },
      ...(FORMATS[name] ? { numFmt: FORMATS[name] } : {}),
    })),
    freezePane: { rows: 1 },
  })
  // Where browsers' types are known, too, theirs leave out that it can be read in a loop.
  yield* file as ReadableStream<Uint8Array>
}

async function* rowsOf(
  batches: AsyncIterable<ExportedRow[]>,
  locale: Locale
): AsyncGenerator<Row, void, undefined> {
  const totals = new Map<string, { gross: string; count: number }>()
  for await (const batch of batches) {
    for (const row of batch) {
      const { gross, count } = totals.get(row.currency) ?? { gross: "0", count: 0 }
      totals.set(row.currency, { gross: addAmounts(gross, row.gross), count: count + 1 })
      const created = typeof row.created === "string" ? dateOfText(row.created) : row.created
      yield cellsOf(created ? { ...row, created } : row).map((cell) =>
        typeof cell === "string" ? cell.slice(0, LONGEST_TEXT) : cell
      )
    }
  }
  for (const [currency, { gross, count }] of totals) yield totalRow(currency, gross, count, locale)
}

function totalRow(currency: string, gross: string, count: number, locale: Locale): Row {
  const rows = counted(
    count,
    ["transaction", "transactions"],
    ["транзакция", "транзакции", "транзакций"]
  )
  const cells: Partial<Record<keyof ExportedRow, Row[number]>> = {
    order_number: TOTAL[locale],
    transaction_id: rows[locale],
    gross: Number(gross),
    currency,
  }
  return COLUMNS.map(({ name }) => cells[name] ?? null)
}
