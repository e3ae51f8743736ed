import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { MedusaContainer } from "@medusajs/framework/types"

import { findNumbersFor } from "../../../../medusa/search"
import { paymentServiceModule } from "../../../../modules/payment-service"
import { toWireAmount } from "../../../../settlement/amount"
import { verdictOf } from "../../../../settlement/verdict"
import { accountThatTook } from "../../../../workflows/payouts/pay-back"
import { findLeftOfOrder } from "../../../../workflows/payouts/refund-target"
import { settlePortsOf } from "../../../../workflows/ports"
import { payoutsOfOrder } from "../payouts/payouts-of-order"
import { problemViews } from "../problems/problem-view"
import { shownTransaction } from "../transactions/transaction-view"
import { paymentsOfOrder } from "./payments-of-order"
import type { PaymentsQuery } from "./validators"

const MOST = 10
const LATEST = { by: "opened_at", descending: true, limit: MOST, offset: 0 } as const

/**
 * The latest payments of an order or a customer with their open problems, in one answer for Medusa's own pages, and how many there
 * are. `payments` have the fields of a transaction's own page, and its verdict. Those of an order begin with the one that says what
 * became of it, and only the one that the customer may be asked to pay has its address and QR. For an order the answer adds
 * `payouts` (`payouts-of-order.ts`), and `pay_out`: the sum that a payout for the order may pay back when no problem asks for it.
 */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const of = req.validatedQuery as PaymentsQuery
  const isOpen = { ...of, status: "open" } as const
  const [rows, count, problems, problemCount, payOut, payouts] = await Promise.all([
    of.order_id === undefined
      ? module.transactionList.page(of, LATEST)
      : paymentsOfOrder(req.scope, of.order_id, MOST),
    module.transactionList.count(of),
    module.problemList.page(isOpen, LATEST),
    module.problemList.count(isOpen),
    of.order_id === undefined ? null : payOutOf(req.scope, of.order_id),
    of.order_id === undefined ? null : payoutsOfOrder(req, of.order_id, MOST),
  ])
  // The same as in the routes about payouts, see `keep-secret.ts`.
  if (payouts) res.set("Cache-Control", "no-store")
  const numbers = await findNumbersFor(req.scope, rows)
  const now = module.clock.now()
  res.json({
    payments: rows.map((row) => ({
      ...shownTransaction(row, numbers),
      verdict: verdictOf(row, now),
    })),
    count,
    problems: await problemViews(req.scope, problems),
    problem_count: problemCount,
    pay_out: payOut,
    payouts,
  })
}

/** The sum (decimal text, in rubles) and the account that took it; null when no payout can pay money back. */
async function payOutOf(scope: MedusaContainer, orderId: string) {
  const found = await findLeftOfOrder(settlePortsOf(scope), orderId)
  if (!found) return null
  const accounts = await paymentServiceModule(scope).accounts()
  return { left: toWireAmount(found.left), account: accountThatTook(accounts, found.row) }
}
