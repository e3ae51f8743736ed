import { approvePayout } from "../../../../../../payouts"
import { payoutAction } from "../../payout-route"
import { ApproveBody } from "../../validators"

export const POST = payoutAction(ApproveBody, approvePayout)
