import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderNumbers } from "../../medusa/search"
import type { PaymentServiceModuleService, TransactionRow } from "../../modules/payment-service"
import type { TransactionFilter } from "../../modules/payment-service/transaction-list"
import { orderIdsIn, withOrderNumbers } from "../../settlement/problems/order-numbers"
import { NOTHING, type Text } from "../../settlement/problems/words"
import { differenceOfRow, standingText } from "../../settlement/row-in-words"
import { paidSum } from "../../settlement/transaction"
import type { ExportedRow } from "./exported-row"
import type { Locale } from "./table"
import { wallClockIn } from "./wall-clock"

/**
 * The number of rows in memory at a time. They are so few that Node's short-lived memory holds them until they are written: 200 rows
 * of a table leave 50 MB that wait for the next full collection of garbage.
 */
const BATCH = 100

/** Transactions of this store, with the numbers of their orders by the orders' ids. */
export interface StoreBatch {
  rows: TransactionRow[]
  /** Of each row, why it differs from Medusa's payment. */
  differences: Text[]
  orderNumbers: Map<string, number>
}

/** This store's transactions, newest first. */
export async function* storeTransactions(
  module: PaymentServiceModuleService,
  container: MedusaContainer,
  filter: TransactionFilter
): AsyncGenerator<StoreBatch, void, undefined> {
  for await (const rows of module.transactionList.all(filter, BATCH)) {
    const differences = rows.map(differenceOfRow)
    const orderIds = [
      ...rows.flatMap(({ order_id }) => order_id ?? []),
      ...differences.flatMap(orderIdsIn),
    ]
    yield { rows, differences, orderNumbers: await findOrderNumbers(container, orderIds) }
  }
}

const METHODS: Record<string, Record<Locale, string>> = {
  sbp: { en: "SBP", ru: "СБП" },
  crypto: { en: "Crypto", ru: "Криптовалюта" },
}

/** Transactions of this store as lines of a table. */
export function storeLines(timeZone: string, locale: Locale): (batch: StoreBatch) => ExportedRow[] {
  const wallClock = wallClockIn(timeZone)
  return ({ rows, differences, orderNumbers }) =>
    rows.map((row, index) => ({
      order_number: orderNumbers.get(row.order_id ?? "") ?? null,
      transaction_id: row.transaction_id,
      created: wallClock(row.opened_at),
      time_zone: timeZone,
      gross: paidSum(row).amount,
      currency: paidSum(row).currency,
      method: METHODS[row.method]?.[locale] ?? row.method,
      status: standingText(row)[locale],
      description: row.description,
      payload: row.id,
      session_id: row.session_id,
      cart_id: row.cart_id,
      customer_id: row.customer_id,
      difference: withOrderNumbers(differences[index] ?? NOTHING, orderNumbers)[locale],
    }))
}
