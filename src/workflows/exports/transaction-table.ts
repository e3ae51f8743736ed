import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderNumbers } from "../../medusa/search"
import type { OddTransaction } from "../../service/schemas"
import { addAmounts } from "../../settlement/amount"
import { orderIdsIn, withOrderNumbers } from "../../settlement/problems/order-numbers"
import { type Text, text } from "../../texts"
import { type Cell, column, DATE, type Table } from "./table"

/** A transaction, the store's or the service's, in the form of the service's records, which may be read only in part. */
interface Exported {
  record: Omit<OddTransaction, "odd">
  row: Record<"order_id" | "session_id" | "cart_id" | "customer_id", string | null> | null
  /** Its difference to Medusa. */
  difference: Text
}
export type TransactionLine = Awaited<ReturnType<typeof withNumbers>>[number]

/** Adds the numbers of orders, also in words, where admins know orders by them. */
export async function withNumbers(container: MedusaContainer, transactions: Exported[]) {
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
  sheet: text("sheets", "transactions"),
  columns: [
    column("order", 10, (line) => line.orderNumber),
    column("transaction", 38, ({ record }) => record.recordId || null),
    column("created", 20, ({ record }) => record.createdAt, DATE),
    column("time_zone", 16, (_line, { timeZone }) => timeZone),
    column("gross", 14, ({ record: { amount } }) => amount && Number(amount), "#,##0.00"),
    column("currency", 9, ({ record }) => record.currencyCode),
    column("method", 12, ({ record }) => record.paymentMethod),
    column("status", 22, ({ record }) => record.status),
    column("description", 40, ({ record }) => record.description),
    column("payload", 32, ({ record }) => record.payload),
    column("payment_session", 36, ({ row }) => row && row.session_id),
    column("cart", 32, ({ row }) => row && row.cart_id),
    column("customer", 32, ({ row }) => row && row.customer_id),
    column("difference", 50, (line, { locale }) => line.difference[locale]),
  ],
  totals: (locale) => {
    const sums = new Map<string | null, { sum: string; count: number }>()
    return {
      add: ({ record: { currencyCode, amount } }) => {
        const { sum, count } = sums.get(currencyCode) ?? { sum: "0", count: 0 }
        sums.set(currencyCode, { sum: addAmounts(sum, amount ?? "0"), count: count + 1 })
      },
      rows: () =>
        [...sums].map(([currency, { sum, count }]): Cell[] => [
          text("totals", "total")[locale],
          text("totals", "transactions", { count })[locale],
          null,
          null,
          // Amounts without a currency are not added up.
          currency && Number(sum),
          currency,
        ]),
    }
  },
}
