import { settlePortsOf } from "../../../../../payments"
import { discardPayout, editPayout } from "../../../../../payouts"
import { answerWithPayout, payoutDeed, payoutRoute, requireAdmin } from "../payout-route"
import { EditBody } from "../validators"

/** A payout with its journal. */
export const GET = payoutRoute(async (req, res) => {
  await answerWithPayout(req, res, { withJournal: true })
})

/** Changes a draft. */
export const POST = payoutDeed(EditBody, editPayout)

/** Discards a draft. */
export const DELETE = payoutRoute(async (req, res) => {
  const admin = await requireAdmin(req)
  await discardPayout(settlePortsOf(req.scope), req.params.id ?? "", admin)
  await answerWithPayout(req, res)
})
