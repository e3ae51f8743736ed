import type {
  AuthenticatedMedusaRequest,
  MedusaRequest,
  MedusaRequestHandler,
  MedusaResponse,
} from "@medusajs/framework/http"

import { namesTransaction, readGraph } from "../medusa/reader"
import {
  findRow,
  reportAndBookAfterChange,
  portsOf,
  requireLock,
  requireRefundProof,
  settlePortsOf,
  takeProof,
} from "../payments"
import { actOnTransaction } from "../problems"
import { tellOfGone } from "../reconciliation"
import { reasonOf, refused, refusedPayment } from "../refusals/refused"
import { compareAmounts, remainder, sumOf, toDecimalText } from "../values/amount"
import { inReadersLanguage } from "./admin/payment-service/in-readers-language"

/** Does the work when the answer goes out, also to a client who has hung up: core's work goes on until then. */
export function onAnswer(res: MedusaResponse, work: () => void): void {
  const end = res.end.bind(res)
  res.end = ((...answer: Parameters<typeof end>) => {
    work()
    return end(...answer)
  }) as typeof end
}

/** Hands a request on to core, and waits until core has answered it. */
export const untilAnswered = (res: MedusaResponse, next: () => void) =>
  new Promise<void>((resolve) => {
    onAnswer(res, resolve)
    next()
  })

/** Checks a request to a route of core before core sees it; a refusal is answered in the reader's language. */
const checkedBefore =
  (
    check: (req: MedusaRequest, handOn: () => Promise<void>) => Promise<void>
  ): MedusaRequestHandler =>
  (req, res, next) =>
    inReadersLanguage(() => check(req, () => untilAnswered(res, next)))(
      req as AuthenticatedMedusaRequest,
      res
    )

/**
 * Refuses to cancel an order that is being changed. Core refuses that only after it has asked our provider for a refund, which would
 * count as asked for although the order lives on.
 */
export const refuseCancellation = checkedBefore(async ({ scope, params }, handOn) => {
  const isBeingChanged = await portsOf(scope).medusa.isBeingChanged(params.id ?? "")
  if (isBeingChanged) throw refused("change_is_open")
  await handOn()
})

/**
 * Refuses a refund of our payments without a proof before core writes it down: a process that is killed then leaves nothing behind.
 * A sum that Medusa does not hold, and a payment without an order, are left to core, which refuses them itself. Core books a refund
 * without a lock, so the target is held for it: else what is just being recorded would be booked twice.
 */
export const refuseUnprovenRefund = checkedBefore(async (req, handOn) => {
  const { scope, params, validatedBody } = req
  const ports = settlePortsOf(scope)
  const ofPayment = { id: params.id ?? "" }
  const [payment] = await ports.medusa.listPayments(ofPayment)
  const row = payment ? await findRow(ports, payment.data) : null
  if (
    !payment ||
    !row ||
    !namesTransaction(payment, row) ||
    !(await ports.medusa.findOrderId(row.payment_collection_id))
  ) {
    await handOn()
    return
  }
  const { amount: asked } = validatedBody as { amount?: number }
  const refund = { amount: toDecimalText(asked ?? payment.amount), refundId: null }
  const isHeld = ({ captures, refunds }: typeof payment) =>
    compareAmounts(refund.amount, remainder(sumOf(captures), sumOf(refunds))) <= 0
  if (isHeld(payment)) await requireRefundProof(ports, row, refund)
  await actOnTransaction(ports, row, async (now) => {
    // While the lock was awaited, it may have been booked, or a dead process's refund may have been deleted.
    const [present = payment] = await ports.medusa.listPayments(ofPayment)
    if (isHeld(present) && !(await takeProof(ports, now, refund)).isCovered) {
      throw refusedPayment("busy")
    }
    requireLock()
    await handOn()
  })
})

/**
 * Looks at an order's money as soon as a request has changed it, or has ended a change of the order, for routes of core after which
 * core tells nobody. Elsewhere the subscriber `order-balance-changed` does it.
 *
 * @param subject what the route's id names: the order, or a part that names the order
 */
export function reportBalanceAfter(
  subject: "order" | "return" | "order_claim" | "order_exchange"
): MedusaRequestHandler {
  return async ({ scope, params }, res, next) => {
    const { id = "" } = params
    // It is found beforehand, because the request may delete what names the order.
    const [named] =
      subject === "order"
        ? [{ order_id: id }]
        : await readGraph<{ order_id: string }>(scope, {
            entity: subject,
            fields: ["order_id"],
            filters: { id },
          })
    res.once("finish", () => {
      if (named && res.statusCode < 400) void follow(scope, named.order_id)
    })
    next()
  }
}

async function follow(scope: MedusaRequest["scope"], orderId: string): Promise<void> {
  const ports = settlePortsOf(scope)
  const { module } = ports
  const look = async () => {
    await tellOfGone(ports, await module.listTransactions({ order_id: orderId }))
    await reportAndBookAfterChange(ports, orderId)
  }
  await look().catch((error: unknown) => {
    module.logger.warn(`Payment Service: order ${orderId} is looked at later: ${reasonOf(error)}`)
  })
}
