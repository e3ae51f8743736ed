import { stopView } from "../../../../../payouts"
import { readBody } from "../../../../read-body"
import { actingOf, payoutRoute } from "../payout-route"
import { StopBody } from "../validators"

/** Stops all payouts at once, on every instance, or lifts that stop. */
export const POST = payoutRoute(async (req) => {
  const { stopped } = await readBody(req, StopBody)
  const { module, admin } = await actingOf(req)
  await module.payouts.setStopped(stopped, admin)
  return { stopped: stopView(await module.payouts.stop()) }
})
