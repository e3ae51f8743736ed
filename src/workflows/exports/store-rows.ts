import type { MedusaContainer } from "@medusajs/framework/types"

import type { TransactionRow } from "../../modules/payment-service"
import { differenceOfRow, standingText } from "../../settlement/row-in-words"
import { paidSum } from "../../settlement/transaction"
import { hasText, text } from "../../texts"
import type { Reader } from "./table"
import { withNumbers } from "./transaction-table"

/** This store's transactions as lines of a table. */
export async function storeLines(
  container: MedusaContainer,
  rows: TransactionRow[],
  { locale, clock }: Reader
) {
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
  return await withNumbers(container, transactions)
}
