import { markPayout } from "../../../../../../payouts"
import { payoutAction } from "../../payout-route"
import { MarkBody } from "../../validators"

/** Records what an admin found in the service's account area about an unknown payout. */
export const POST = payoutAction(MarkBody, markPayout)
