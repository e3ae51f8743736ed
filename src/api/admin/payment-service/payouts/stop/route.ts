import { paymentServiceModule } from "../../../../../modules/payment-service"
import { settlePortsOf } from "../../../../../payments"
import { requireNamed, stopView } from "../../../../../payouts"
import { payoutRoute, requireAdmin } from "../payout-route"
import { readBody } from "../../../../read-body"
import { StopBody } from "../validators"

/** Stops all payouts at once, on every instance, or lifts that stop. */
export const POST = payoutRoute(async (req) => {
  const { stopped } = await readBody(req, StopBody)
  const admin = await requireAdmin(req)
  await requireNamed(settlePortsOf(req.scope), admin)
  const { payouts } = paymentServiceModule(req.scope)
  await payouts.setStopped(stopped, admin)
  return { stopped: stopView(await payouts.stop()) }
})
