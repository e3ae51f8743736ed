import { addAmounts } from "../../settlement/amount"
import { counted } from "../../settlement/problems/words"
import { type Cell, column, DATE, type Table } from "./table"

/** A row of a table of transactions, whether they are the store's or the service's. */
export interface TransactionLine {
  orderNumber: number | null
  transactionId: string | null
  /** A wall clock's time, or the service's own text, where that is no date. */
  created: Date | string | null
  /** Decimal text. It is null, like the currency, only where the service's record could not be read. */
  gross: string | null
  currency: string | null
  method: string | null
  status: string | null
  description: string | null
  payload: string | null
  row: { session_id: string | null; cart_id: string | null; customer_id: string | null } | null
  difference: string
}

/** Transactions as a table, with a row of totals for each currency. */
export const TRANSACTIONS: Table<TransactionLine> = {
  sheet: { en: "Transactions", ru: "Транзакции" },
  columns: [
    column("Order", "Заказ", 10, (line) => line.orderNumber),
    column("Transaction", "Транзакция", 38, (line) => line.transactionId),
    column("Created", "Создана", 20, (line) => line.created, DATE),
    column("Time zone", "Часовой пояс", 16, (_line, reader) => reader.timeZone),
    column("Gross", "Сумма", 14, ({ gross }) => gross && Number(gross), "#,##0.00"),
    column("Currency", "Валюта", 9, (line) => line.currency),
    column("Method", "Способ", 12, (line) => line.method),
    column("Status", "Статус", 22, (line) => line.status),
    column("Description", "Описание", 40, (line) => line.description),
    column("Payload", "Референс", 32, (line) => line.payload),
    column("Payment session", "Платёжная сессия", 36, ({ row }) => row && row.session_id),
    column("Cart", "Корзина", 32, ({ row }) => row && row.cart_id),
    column("Customer", "Клиент", 32, ({ row }) => row && row.customer_id),
    column("Difference to Medusa", "Расхождение с Medusa", 50, (line) => line.difference),
  ],
  totals: (locale) => {
    const total = { en: "Total", ru: "Итого" }[locale]
    const sums = new Map<string | null, { sum: string; count: number }>()
    return {
      add: ({ currency, gross }) => {
        const { sum, count } = sums.get(currency) ?? { sum: "0", count: 0 }
        sums.set(currency, { sum: addAmounts(sum, gross ?? "0"), count: count + 1 })
      },
      rows: () =>
        [...sums].map(([currency, { sum, count }]): Cell[] => {
          const transactions = counted(
            count,
            ["transaction", "transactions"],
            ["транзакция", "транзакции", "транзакций"]
          )[locale]
          // Amounts without a currency are not added up.
          return [total, transactions, null, null, currency && Number(sum), currency]
        }),
    }
  },
}
