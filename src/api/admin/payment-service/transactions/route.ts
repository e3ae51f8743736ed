import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findCustomers, findOrderNumbers } from "../../../../medusa/search"
import { paymentServiceModule } from "../../../../modules/payment-service"
import { sortOf } from "../query-fields"
import { searchTerms } from "./search-terms"
import { listedTransaction } from "./transaction-view"
import type { TransactionsQuery } from "./validators"

/**
 * Lists this store's transactions, each with the e-mail address and name of its customer. `count` is exact up to 10,000, where
 * counting ends.
 */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const list = paymentServiceModule(req.scope).transactionList
  const { q, limit, offset, order, ...filters } = req.validatedQuery as TransactionsQuery
  const filter = { ...filters, search: q ? await searchTerms(req.scope, q) : undefined }
  const [rows, count] = await Promise.all([
    list.page(filter, { ...sortOf(order), limit, offset }),
    list.count(filter),
  ])
  const [numbers, customers] = await Promise.all([
    findOrderNumbers(
      req.scope,
      rows.map(({ order_id }) => order_id)
    ),
    findCustomers(
      req.scope,
      rows.map(({ customer_id }) => customer_id)
    ),
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
