import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findCustomers, findNumbersFor } from "../../../../medusa/search"
import { paymentServiceModule } from "../../../../modules/payment-service"
import { sortOf } from "../query-fields"
import { transactionFilter } from "./search-terms"
import { listedTransaction } from "./transaction-view"
import type { TransactionsQuery } from "./validators"

/**
 * Lists this store's transactions, each with the e-mail address and name of its customer. `count` is exact up to 10,000, where
 * counting ends.
 */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const list = paymentServiceModule(req.scope).transactionList
  const { limit, offset, order, ...asked } = req.validatedQuery as TransactionsQuery
  const filter = await transactionFilter(req.scope, asked)
  const [rows, count] = await Promise.all([
    list.page(filter, { ...sortOf(order), limit, offset }),
    list.count(filter),
  ])
  const customerIds = rows.map(({ customer_id }) => customer_id)
  const [numbers, customers] = await Promise.all([
    findNumbersFor(req.scope, rows),
    findCustomers(req.scope, customerIds),
  ])
  res.json({
    transactions: rows.map((row) => ({
      ...listedTransaction(row, numbers),
      customer: customers.get(row.customer_id ?? "") ?? null,
    })),
    count,
    limit,
    offset,
  })
}
