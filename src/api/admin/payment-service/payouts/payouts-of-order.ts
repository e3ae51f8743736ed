import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { SMALLEST_PAYOUT } from "../../../../settlement/payouts/payout"
import { recordLostPayouts } from "../../../../workflows/payouts/lost-payouts"
import { settlePortsOf } from "../../../../workflows/ports"
import { grantedOfPayouts } from "./granted"
import { payoutViews } from "./payout-view"
import { actingReader } from "./reader-of"

/**
 * The latest payouts for an order with their `count`, and the `smallest` amount that the reader may pay out, null when they may
 * pay out nothing.
 *
 * @returns null for a reader who may not see payouts
 */
export async function payoutsOfOrder(
  req: AuthenticatedMedusaRequest,
  orderId: string,
  limit: number
) {
  const granted = await grantedOfPayouts(req)
  if (!granted.has("read")) return null
  const module = paymentServiceModule(req.scope)
  const filter = { order_id: [orderId] }
  await recordLostPayouts(settlePortsOf(req.scope))
  const accounts = await module.accounts()
  const [reader, rows, count] = await Promise.all([
    actingReader(req, accounts),
    module.payoutList.page(filter, { by: "created_at", descending: true, limit, offset: 0 }),
    module.payoutList.count(filter),
  ])
  const mayPayOut = accounts.canPayOut() && reader !== null && granted.has("create")
  return {
    payouts: await payoutViews(req.scope, rows, { accounts, reader }),
    count,
    smallest: mayPayOut ? SMALLEST_PAYOUT : null,
  }
}
