import { approvePayout } from "../../../../../../payouts/draft-payout"
import { payoutDeed } from "../../payout-route"
import { ApproveBody } from "../../validators"

export const POST = payoutDeed(ApproveBody, approvePayout)
