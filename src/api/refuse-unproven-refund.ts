import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { namesTransaction } from "../medusa/payments"
import { compareAmounts, remainder, sumOf, toDecimalText } from "../settlement/amount"
import { findRow } from "../transactions/find-row"
import { portsOf } from "../transactions/ports"
import { requireRefundProof } from "../transactions/refund-proof"

/**
 * Refuses a refund of our payments without a proof before core writes it down: a process that is killed then leaves nothing behind.
 * A sum that Medusa does not hold is refused by core itself.
 *
 * @throws MedusaError as `requireRefundProof` does
 */
export async function refuseUnprovenRefund(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const ports = portsOf(req.scope)
  const [payment] = await ports.medusa.listPayments({ id: req.params.id ?? "" }, [
    "captures",
    "refunds",
  ])
  const row = payment ? await findRow(ports, payment.data) : null
  if (payment && row && namesTransaction(payment, row)) {
    const held = remainder(sumOf(payment.captures), sumOf(payment.refunds))
    const { amount: asked } = req.validatedBody as { amount?: number }
    const amount = toDecimalText(asked ?? payment.amount)
    if (compareAmounts(amount, held) <= 0) {
      await requireRefundProof(ports, row, { amount, refundId: null })
    }
  }
  next()
}
