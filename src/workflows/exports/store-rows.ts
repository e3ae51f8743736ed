import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule, type TransactionRow } from "../../modules/payment-service"
import type { TransactionFilter } from "../../modules/payment-service/transaction-list"
import { differenceOfRow, standingText } from "../../settlement/row-in-words"
import { paidSum } from "../../settlement/transaction"
import { hasText, text } from "../../texts"
import type { Reader } from "./table"
import { type TransactionLine, withNumbers } from "./transaction-table"

/**
 * The number of rows in memory at a time. They are so few that Node's short-lived memory holds them until they are written: 200 rows
 * of a table leave 50 MB that wait for the next full collection of garbage.
 */
const BATCH = 100

/** This store's transactions, newest first. */
export const storeRows = (
  container: MedusaContainer,
  filter: TransactionFilter
): AsyncGenerator<TransactionRow[], void> =>
  paymentServiceModule(container).transactionList.all(filter, BATCH)

/** The same as lines of a table. */
export async function* storeLines(
  container: MedusaContainer,
  filter: TransactionFilter,
  { locale, clock }: Reader
): AsyncGenerator<TransactionLine[], void, undefined> {
  for await (const rows of storeRows(container, filter)) {
    const transactions = rows.map((row) => ({
      record: {
        recordId: row.transaction_id ?? "",
        createdAt: clock(row.opened_at),
        amount: paidSum(row).amount,
        currencyCode: paidSum(row).currency,
        paymentMethod: hasText("methods", row.method)
          ? text("methods", row.method)[locale]
          : row.method,
        status: standingText(row)[locale],
        description: row.description,
        payload: row.id,
      },
      row,
      difference: differenceOfRow(row),
    }))
    yield await withNumbers(container, transactions)
  }
}
