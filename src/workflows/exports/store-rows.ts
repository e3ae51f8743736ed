import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderNumbers } from "../../medusa/search"
import { paymentServiceModule } from "../../modules/payment-service"
import type { TransactionFilter } from "../../modules/payment-service/transaction-list"
import { orderIdsIn, withOrderNumbers } from "../../settlement/problems/order-numbers"
import { NOTHING } from "../../settlement/problems/words"
import { differenceOfRow, standingText } from "../../settlement/row-in-words"
import { paidSum } from "../../settlement/transaction"
import type { Locale, Reader } from "./table"
import type { TransactionLine } from "./transaction-table"

/**
 * The number of rows in memory at a time. They are so few that Node's short-lived memory holds them until they are written: 200 rows
 * of a table leave 50 MB that wait for the next full collection of garbage.
 */
export const STORE_BATCH = 100

const METHODS: Record<string, Record<Locale, string>> = {
  sbp: { en: "SBP", ru: "СБП" },
  crypto: { en: "Crypto", ru: "Криптовалюта" },
}

/** This store's transactions as lines of a table, newest first. */
export async function* storeLines(
  container: MedusaContainer,
  filter: TransactionFilter,
  { locale, wall }: Reader
): AsyncGenerator<TransactionLine[], void, undefined> {
  const list = paymentServiceModule(container).transactionList
  for await (const rows of list.all(filter, STORE_BATCH)) {
    const differences = rows.map(differenceOfRow)
    const numbers = await findOrderNumbers(container, [
      ...rows.map(({ order_id }) => order_id),
      ...differences.flatMap(orderIdsIn),
    ])
    yield rows.map((row, index) => ({
      orderNumber: numbers.get(row.order_id ?? "") ?? null,
      transactionId: row.transaction_id,
      created: wall(row.opened_at),
      gross: paidSum(row).amount,
      currency: paidSum(row).currency,
      method: METHODS[row.method]?.[locale] ?? row.method,
      status: standingText(row)[locale],
      description: row.description,
      payload: row.id,
      row,
      difference: withOrderNumbers(differences[index] ?? NOTHING, numbers)[locale],
    }))
  }
}
