import type { MedusaContainer } from "@medusajs/framework/types"

import { MedusaReader } from "../../../../medusa/reader"
import { findNumbersFor } from "../../../../medusa/search"
import * as payments from "../../../../payments"
import { SMALLEST_PAYOUT } from "../../../../payouts/rules/payout"
import { findRefundable, problemViews } from "../../../../problems"
import { storeFacts } from "../../../../settings"
import { isOwed, toWireAmount } from "../../../../values/amount"
import { type AskedOf, inReadersLanguage, maySeeCustomers } from "../in-readers-language"
import { actingReader, grantedOfPayouts, payoutsFor } from "../payouts/payout-route"

const MOST = 10
const LATEST = { order: "-opened_at", limit: MOST } as const

/** For Medusa's own pages: the latest payments of an order or a customer, with their open problems; see `paymentsOfOrder`. */
export const GET = inReadersLanguage(async (req: AskedOf<"payments">, _module, res) => {
  const ports = payments.settlePortsOf(req.scope)
  const { module } = ports
  const of = req.validatedQuery
  const { order_id: orderId } = of
  const [rows, count, [problems, problem_count], payouts] = await Promise.all([
    orderId === undefined
      ? module.transactionList.page(of, LATEST)
      : payments.paymentsOfOrder(req.scope, orderId, MOST),
    module.transactionList.count(of),
    module.problemList.pageAndCount({ ...of, status: "open" }, LATEST),
    orderId === undefined ? null : payoutsOf(req, ports, orderId),
  ])
  // The same as in the routes about payouts, see `keepSecret`.
  if (payouts) res.set("Cache-Control", "no-store")
  const [numbers, refunded] = await Promise.all([
    findNumbersFor(req.scope, rows),
    payments.findRefunded(req.scope, rows),
  ])
  const reader = { seesCustomers: await maySeeCustomers(req) }
  const now = module.clock.now()
  return {
    payments: await Promise.all(
      rows.map(async (row) => ({
        ...payments.shownTransaction(row, { numbers, refunded }),
        refundable_amount: orderId === undefined ? null : await findRefundable(ports, row),
        verdict: payments.verdictOf(row, now),
      }))
    ),
    count,
    problems: await problemViews(req.scope, problems, reader),
    problem_count,
    payouts,
    payment_link: orderId === undefined ? null : await paymentLinkOf(req.scope, orderId),
  }
})

/** Medusa's payment link for the rest that is owed of an order; null when nothing is owed, or the storefront's address is not known. */
async function paymentLinkOf(container: MedusaContainer, orderId: string) {
  const [order] = await new MedusaReader(container).listOrderMoney([orderId])
  const { storefrontUrl } = storeFacts(container)
  if (!storefrontUrl || !order || order.isCanceled || !isOwed(order.owed)) return null
  const collections = await new MedusaReader(container).listCollections(order.collectionIds)
  const rest = collections.find((one) => !one.isPaidInto && one.isUnpaid && isOwed(one.amount))
  if (!rest) return null
  return {
    address: `${storefrontUrl.replace(/\/+$/, "")}/payment-collection/${rest.id}`,
    amount: toWireAmount(rest.amount),
    currency: order.currency.toUpperCase(),
  }
}

/** The latest payouts for an order, and the `smallest` amount that the reader may pay out; null for who may not see payouts. */
async function payoutsOf(req: AskedOf<"payments">, ports: payments.SettlePorts, orderId: string) {
  const granted = await grantedOfPayouts(req)
  if (!granted.has("read")) return null
  const accounts = await ports.module.accounts()
  const latest = { order: "-created_at", limit: MOST } as const
  const [reader, [rows, count]] = await Promise.all([
    actingReader(req, accounts),
    ports.module.payoutList.pageAndCount({ order_id: orderId }, latest),
  ])
  const mayPayOut = accounts.canPayOut() && reader !== null && granted.has("create")
  const smallest = mayPayOut ? SMALLEST_PAYOUT : null
  return { payouts: await payoutsFor(req, rows), count, smallest }
}
