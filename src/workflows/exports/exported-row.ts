import { addAmounts } from "../../settlement/amount"
import { counted, type Text } from "../../settlement/problems/words"
import type { Cell, Locale, Table } from "./table"
import { dateOfText } from "./wall-clock"

/**
 * A line of an exported table. `created` is wall-clock time in its zone: a date as if that zone were UTC, or the service's own
 * text.
 */
export interface ExportedRow {
  order_number: number | null
  transaction_id: string | null
  created: Date | string | null
  time_zone: string
  /** Decimal text. It is null, like the currency, only where the service's record could not be read. */
  gross: string | null
  currency: string | null
  method: string | null
  status: string | null
  description: string | null
  payload: string | null
  session_id: string | null
  cart_id: string | null
  customer_id: string | null
  difference: string
}

type Column = { name: keyof ExportedRow; title: Text; width: number; format?: string }

const COLUMNS: readonly Column[] = [
  { name: "order_number", title: { en: "Order", ru: "Заказ" }, width: 10 },
  { name: "transaction_id", title: { en: "Transaction", ru: "Транзакция" }, width: 38 },
  {
    name: "created",
    title: { en: "Created", ru: "Создана" },
    width: 20,
    format: "yyyy-mm-dd hh:mm:ss",
  },
  { name: "time_zone", title: { en: "Time zone", ru: "Часовой пояс" }, width: 16 },
  { name: "gross", title: { en: "Gross", ru: "Сумма" }, width: 14, format: "#,##0.00" },
  { name: "currency", title: { en: "Currency", ru: "Валюта" }, width: 9 },
  { name: "method", title: { en: "Method", ru: "Способ" }, width: 12 },
  { name: "status", title: { en: "Status", ru: "Статус" }, width: 22 },
  { name: "description", title: { en: "Description", ru: "Описание" }, width: 40 },
  { name: "payload", title: { en: "Payload", ru: "Референс" }, width: 32 },
  { name: "session_id", title: { en: "Payment session", ru: "Платёжная сессия" }, width: 36 },
  { name: "cart_id", title: { en: "Cart", ru: "Корзина" }, width: 32 },
  { name: "customer_id", title: { en: "Customer", ru: "Клиент" }, width: 32 },
  {
    name: "difference",
    title: { en: "Difference to Medusa", ru: "Расхождение с Medusa" },
    width: 50,
  },
]

const TOTAL = { en: "Total", ru: "Итого" }

/** Transactions as a table, with a row of totals for each currency. */
export const TRANSACTIONS: Table<ExportedRow> = {
  sheet: { en: "Transactions", ru: "Транзакции" },
  columns: COLUMNS,
  cells: cellsOf,
  workbookCells: (row) => {
    const created = typeof row.created === "string" ? dateOfText(row.created) : row.created
    return cellsOf(created ? { ...row, created } : row)
  },
  totals: () => {
    const totals = new Map<string | null, { gross: string; count: number }>()
    return {
      add: (row) => {
        const { gross, count } = totals.get(row.currency) ?? { gross: "0", count: 0 }
        totals.set(row.currency, { gross: addAmounts(gross, row.gross ?? "0"), count: count + 1 })
      },
      rows: (locale) =>
        [...totals].map(([currency, { gross, count }]) => totalRow(currency, gross, count, locale)),
    }
  },
}

function cellsOf(row: ExportedRow): Cell[] {
  return COLUMNS.map(({ name }) => (name === "gross" ? row.gross && Number(row.gross) : row[name]))
}

/** Amounts without a currency are not added up. */
function totalRow(currency: string | null, gross: string, count: number, locale: Locale): Cell[] {
  const rows = counted(
    count,
    ["transaction", "transactions"],
    ["транзакция", "транзакции", "транзакций"]
  )
  const cells: Partial<Record<keyof ExportedRow, Cell>> = {
    order_number: TOTAL[locale],
    transaction_id: rows[locale],
    gross: currency && Number(gross),
    currency,
  }
  return COLUMNS.map(({ name }) => cells[name] ?? null)
}
