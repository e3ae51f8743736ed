import { approvePayout } from "../../../../../../workflows/payouts/draft-payout"
import { payoutDeed } from "../../payout-route"
import { ApproveBody } from "../../validators"

export const POST = payoutDeed(ApproveBody, approvePayout)
