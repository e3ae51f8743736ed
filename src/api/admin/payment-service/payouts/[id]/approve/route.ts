import { approvePayout } from "../../../../../../workflows/payouts/draft-payout"
import { payoutDeed } from "../../answer-with-payout"
import { ApproveBody } from "../../validators"

export const POST = payoutDeed(ApproveBody, approvePayout)
