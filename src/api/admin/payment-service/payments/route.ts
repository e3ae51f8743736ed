import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findOrderNumbers } from "../../../../medusa/search"
import { paymentServiceModule } from "../../../../modules/payment-service"
import { verdictOf } from "../../../../settlement/verdict"
import { problemViews } from "../problems/problem-view"
import { shownTransaction } from "../transactions/transaction-view"
import type { PaymentsQuery } from "./validators"

const MOST = 10

/**
 * The latest payments of an order or a customer and their problems, in one answer for Medusa's own pages. `payments`
 * have the same fields as a transaction on its own page, and its verdict.
 */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const of = req.validatedQuery as PaymentsQuery
  const [rows, problems] = await Promise.all([
    module.transactionList.page(of, { by: "opened_at", descending: true, limit: MOST, offset: 0 }),
    module.listProblems({ ...of, closed_at: null }, { order: { opened_at: "DESC" }, take: MOST }),
  ])
  const orderIds = rows.flatMap(({ order_id }) => order_id ?? [])
  const numbers = await findOrderNumbers(req.scope, [...new Set(orderIds)])
  const now = module.clock.now()
  res.json({
    payments: rows.map((row) => ({
      ...shownTransaction(row, numbers),
      verdict: verdictOf(row, now),
    })),
    problems: await problemViews(req.scope, problems),
  })
}
