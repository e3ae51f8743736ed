import { sendPayout } from "../../../../../../workflows/payouts/send-payout"
import { payoutDeed } from "../../answer-with-payout"
import { requireMaySend } from "../../granted"
import { SendBody } from "../../validators"

/** Sends a payout, or sends it again. A card number exists only during this request. */
export const POST = payoutDeed(SendBody, sendPayout, { mayBegin: requireMaySend })
