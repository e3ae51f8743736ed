import { settlePortsOf } from "../../../../../../workflows/ports"
import { sendPayout } from "../../../../../../workflows/payouts/send-payout"
import { answerWithPayout } from "../../answer-with-payout"
import { payoutRoute } from "../../payout-route"
import { readBody } from "../../read-body"
import { requireAdmin } from "../../reader-of"
import { requireMaySend } from "../../require-may-send"
import { SendBody } from "../../validators"

/** Sends a payout, or sends it again. A card number exists only during this request. */
export const POST = payoutRoute(async (req, res) => {
  await requireMaySend(req)
  const { card_number, again, confirm_similar, revision } = await readBody(req, SendBody)
  const admin = await requireAdmin(req)
  await sendPayout(
    settlePortsOf(req.scope),
    req.params.id ?? "",
    { cardNumber: card_number || null, again, confirmSimilar: confirm_similar, revision },
    admin
  )
  await answerWithPayout(req, res)
})
