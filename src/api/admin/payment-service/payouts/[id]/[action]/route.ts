import { approvePayout, markPayout, sendPayout } from "../../../../../../payouts"
import { PAYOUT_BODIES, payoutAction } from "../../payout-route"
import { byName } from "../../../in-readers-language"

export const POST = byName({
  approve: payoutAction(PAYOUT_BODIES.approve, approvePayout),
  send: payoutAction(PAYOUT_BODIES.send, sendPayout),
  mark: payoutAction(PAYOUT_BODIES.mark, markPayout),
})
