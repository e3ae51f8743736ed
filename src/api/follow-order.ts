import type { MedusaRequest, MedusaRequestHandler } from "@medusajs/framework/http"

import { readGraph } from "../medusa/links"
import { reasonOf } from "../modules/payment-service/reason-of"
import { settlePortsOf } from "../workflows/ports"
import { tellOfGone } from "../workflows/reconciliation/follow-settled"
import { followChange } from "../workflows/refunds/book-refund"

/** The record that a route's id names: the order, or a part of it that names the order. */
type Subject = "order" | "return" | "order_claim" | "order_exchange"

/**
 * Looks at an order's money as soon as a request has changed it, or has ended a change of the order. It is for routes of core after
 * which core tells nobody; elsewhere the subscriber `order-balance-changed` does it.
 */
export function followOrder(subject: Subject): MedusaRequestHandler {
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
    await followChange(ports, orderId)
  }
  await look().catch((error: unknown) => {
    module.logger.warn(`Payment Service: order ${orderId} is looked at later: ${reasonOf(error)}`)
  })
}
