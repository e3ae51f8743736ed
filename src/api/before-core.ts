import type {
  AuthenticatedMedusaRequest,
  MedusaRequest,
  MedusaRequestHandler,
} from "@medusajs/framework/http"

import { namesTransaction } from "../medusa/payments"
import type { TransactionRow } from "../modules/payment-service"
import { refused, refusedPayment } from "../modules/payment-service/refused-deed"
import { compareAmounts, remainder, sumOf, toDecimalText } from "../settlement/amount"
import { findRow } from "../transactions/find-row"
import { type Ports, portsOf } from "../transactions/ports"
import { requireRefundProof } from "../transactions/refund-proof"
import { inReadersLanguage } from "./admin/payment-service/in-readers-language"

/** Checks a request to a route of core before core sees it; a refusal is answered in the reader's language. */
const checkedBefore =
  (check: (req: MedusaRequest) => Promise<void>): MedusaRequestHandler =>
  async (req, res, next) => {
    await inReadersLanguage(check)(req as AuthenticatedMedusaRequest, res)
    if (!res.headersSent) next()
  }

/**
 * Refuses to cancel an order that is being changed. Core refuses that, too, but has asked our provider for a refund by then, which
 * would count as asked for although the order lives on.
 */
export const refuseCancellation = checkedBefore(async ({ scope, params }) => {
  const isBeingChanged = await portsOf(scope).medusa.isBeingChanged(params.id ?? "")
  if (isBeingChanged) throw refused("change_is_open")
})

/**
 * Refuses a refund of our payments without a proof before core writes it down: a process that is killed then leaves nothing behind.
 * A sum that Medusa does not hold, and a payment without an order, are left to core, which refuses them itself: nothing counts as
 * asked for then.
 */
export const refuseUnprovenRefund = checkedBefore(async ({ scope, params, validatedBody }) => {
  const ports = portsOf(scope)
  const ofPayment = { id: params.id ?? "" }
  const [payment] = await ports.medusa.listPayments(ofPayment, ["captures", "refunds"])
  const row = payment ? await findRow(ports, payment.data) : null
  if (!payment || !row || !namesTransaction(payment, row)) return
  const held = remainder(sumOf(payment.captures), sumOf(payment.refunds))
  const { amount: asked } = validatedBody as { amount?: number }
  const amount = toDecimalText(asked ?? payment.amount)
  const orderId = await ports.medusa.findOrderId(row.payment_collection_id)
  if (orderId && compareAmounts(amount, held) <= 0) await judgeOnce(ports, row, amount)
})

/** A second click, or a repeated request, is refused while the first one is judged: else both would count as asked for. */
async function judgeOnce(ports: Ports, row: TransactionRow, amount: string): Promise<void> {
  const lease = `ask:${row.id}:${amount}`
  const isFirst = await ports.module.leases.tryHold(lease, { ttlMs: 10_000 }, () =>
    requireRefundProof(ports, row, { amount, refundId: null })
  )
  if (!isFirst) throw refusedPayment("busy")
}
