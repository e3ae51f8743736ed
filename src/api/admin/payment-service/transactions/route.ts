import { findNumbersFor } from "../../../../medusa/search"
import { filterOf, findRefunded, listedTransaction } from "../../../../payments"
import { customersFor, inReadersLanguage, maySeeCustomers } from "../in-readers-language"
import type { AskedOf } from "../in-readers-language"

export const GET = inReadersLanguage(async (req: AskedOf<"transactions">, { transactionList }) => {
  const { limit, offset, order, ...asked } = req.validatedQuery
  const filter = await filterOf(req.scope, asked, await maySeeCustomers(req))
  const [rows, count] = await transactionList.pageAndCount(filter, { order, limit, offset })
  const customerIds = rows.map(({ customer_id }) => customer_id)
  const [numbers, customers, refunded] = await Promise.all([
    findNumbersFor(req.scope, rows),
    customersFor(req, customerIds),
    findRefunded(req.scope, rows),
  ])
  const transactions = rows.map((row) => ({
    ...listedTransaction(row, { numbers, refunded }),
    customer: customers.get(row.customer_id ?? "") ?? null,
  }))
  return { transactions, count, limit, offset }
})
