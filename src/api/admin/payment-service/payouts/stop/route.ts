import { readBody } from "../../../../read-body"
import { actingOf, PAYOUT_BODIES, payoutRoute } from "../payout-route"

export const POST = payoutRoute(async (req) => {
  const { stopped } = await readBody(req, PAYOUT_BODIES.stop)
  const { module, admin } = await actingOf(req)
  await module.payouts.setStopped(stopped, admin)
  return { stopped: await module.payouts.stop() }
})
