import { discardPayout, editPayout } from "../../../../../workflows/payouts/draft-payout"
import { settlePortsOf } from "../../../../../workflows/ports"
import { answerWithPayout } from "../answer-with-payout"
import { payoutRoute } from "../payout-route"
import { readBody } from "../read-body"
import { requireMaker } from "../reader-of"
import { EditBody } from "../validators"

/** A payout with its journal. */
export const GET = payoutRoute(async (req, res) => {
  await answerWithPayout(req, res, { withJournal: true })
})

/** Changes a draft. */
export const POST = payoutRoute(async (req, res) => {
  const { card_id, amount, note, confirm_similar } = await readBody(req, EditBody)
  const admin = await requireMaker(req)
  const edit = { cardId: card_id, amount, note, confirmSimilar: confirm_similar }
  await editPayout(settlePortsOf(req.scope), req.params.id ?? "", edit, admin)
  await answerWithPayout(req, res)
})

/** Discards a draft. */
export const DELETE = payoutRoute(async (req, res) => {
  const admin = await requireMaker(req)
  await discardPayout(settlePortsOf(req.scope), req.params.id ?? "", admin)
  await answerWithPayout(req, res)
})
