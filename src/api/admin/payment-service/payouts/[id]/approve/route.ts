import { approvePayout } from "../../../../../../payouts"
import { payoutDeed } from "../../payout-route"
import { ApproveBody } from "../../validators"

export const POST = payoutDeed(ApproveBody, approvePayout)
