import { markPayout } from "../../../../../../workflows/payouts/mark-payout"
import { settlePortsOf } from "../../../../../../workflows/ports"
import { answerWithPayout } from "../../answer-with-payout"
import { payoutRoute } from "../../payout-route"
import { readBody } from "../../read-body"
import { requireAdmin } from "../../reader-of"
import { MarkBody } from "../../validators"

/** Records what an admin found in the service's account area about an unknown payout. */
export const POST = payoutRoute(async (req, res) => {
  const body = await readBody(req, MarkBody)
  const admin = await requireAdmin(req)
  await markPayout(settlePortsOf(req.scope), req.params.id ?? "", body, admin)
  await answerWithPayout(req, res)
})
