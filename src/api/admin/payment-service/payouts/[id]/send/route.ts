import { sendPayout } from "../../../../../../payouts"
import { payoutAction } from "../../payout-route"
import { SendBody } from "../../validators"

/** Sends a payout, or sends it again. A card number exists only during this request. */
export const POST = payoutAction(SendBody, sendPayout)
