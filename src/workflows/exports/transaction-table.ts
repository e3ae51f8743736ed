import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderNumbers } from "../../medusa/search"
import type { OddTransaction } from "../../service/schemas"
import { addAmounts } from "../../settlement/amount"
import { orderIdsIn, withOrderNumbers } from "../../settlement/problems/order-numbers"
import { counted, type Text } from "../../texts"
import { type Cell, column, DATE, type Table } from "./table"

/** A transaction, the store's or the service's, in the form of the service's records, which may be read only in part. */
export interface Exported {
  record: Omit<OddTransaction, "odd">
  row: Record<"order_id" | "session_id" | "cart_id" | "customer_id", string | null> | null
  /** Its difference to Medusa. */
  difference: Text
}
export type TransactionLine = Exported & { orderNumber: number | null }

/** Adds the numbers of orders, also in words, where admins know orders by them. */
export async function withNumbers(
  container: MedusaContainer,
  transactions: Exported[]
): Promise<TransactionLine[]> {
  const orderIds = transactions.map(({ row }) => row && row.order_id)
  const inWords = transactions.flatMap(({ difference }) => orderIdsIn(difference))
  const numbers = await findOrderNumbers(container, [...orderIds, ...inWords])
  return transactions.map(({ record, row, difference }) => ({
    record,
    row,
    difference: withOrderNumbers(difference, numbers),
    orderNumber: numbers.get(row?.order_id ?? "") ?? null,
  }))
}

/** Transactions as a table, with a row of totals for each currency. */
export const TRANSACTIONS: Table<TransactionLine> = {
  sheet: { en: "Transactions", ru: "Транзакции" },
  columns: [
    column("Order", "Заказ", 10, (line) => line.orderNumber),
    column("Transaction", "Транзакция", 38, ({ record }) => record.recordId || null),
    column("Created", "Создана", 20, ({ record }) => record.createdAt, DATE),
    column("Time zone", "Часовой пояс", 16, (_line, { timeZone }) => timeZone),
    column("Gross", "Сумма", 14, ({ record: { amount } }) => amount && Number(amount), "#,##0.00"),
    column("Currency", "Валюта", 9, ({ record }) => record.currencyCode),
    column("Method", "Способ", 12, ({ record }) => record.paymentMethod),
    column("Status", "Статус", 22, ({ record }) => record.status),
    column("Description", "Описание", 40, ({ record }) => record.description),
    column("Payload", "Референс", 32, ({ record }) => record.payload),
    column("Payment session", "Платёжная сессия", 36, ({ row }) => row && row.session_id),
    column("Cart", "Корзина", 32, ({ row }) => row && row.cart_id),
    column("Customer", "Клиент", 32, ({ row }) => row && row.customer_id),
    column(
      "Difference to Medusa",
      "Расхождение с Medusa",
      50,
      (line, { locale }) => line.difference[locale]
    ),
  ],
  totals: (locale) => {
    const total = { en: "Total", ru: "Итого" }[locale]
    const sums = new Map<string | null, { sum: string; count: number }>()
    return {
      add: ({ record: { currencyCode, amount } }) => {
        const { sum, count } = sums.get(currencyCode) ?? { sum: "0", count: 0 }
        sums.set(currencyCode, { sum: addAmounts(sum, amount ?? "0"), count: count + 1 })
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
