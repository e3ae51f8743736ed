import { approvePayout } from "../../../../../../workflows/payouts/draft-payout"
import { settlePortsOf } from "../../../../../../workflows/ports"
import { answerWithPayout } from "../../answer-with-payout"
import { payoutRoute } from "../../payout-route"
import { readBody } from "../../read-body"
import { requireAdmin } from "../../reader-of"
import { ApproveBody } from "../../validators"

export const POST = payoutRoute(async (req, res) => {
  const body = await readBody(req, ApproveBody)
  const admin = await requireAdmin(req)
  await approvePayout(settlePortsOf(req.scope), req.params.id ?? "", body, admin)
  await answerWithPayout(req, res)
})
