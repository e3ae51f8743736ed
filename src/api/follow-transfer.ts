import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { reasonOf } from "../modules/payment-service/reason-of"
import { settlePortsOf } from "../workflows/ports"
import { followChange } from "../workflows/refunds/book-refund"

/** Books what went back while an order was to be transferred, as soon as a request has ended that: core tells nobody of it. */
export function followTransfer(
  { scope, params }: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): void {
  const ports = settlePortsOf(scope)
  const orderId = params.id ?? ""
  res.once("finish", () => {
    followChange(ports, orderId).catch((error: unknown) =>
      ports.module.logger.warn(
        `Payment Service: order ${orderId} is looked at later: ${reasonOf(error)}`
      )
    )
  })
  next()
}
