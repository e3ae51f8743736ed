import { RefusedDeed } from "../../modules/payment-service/refused-deed"
import { payoutRefusal, type PayoutRefusal } from "../../settlement/payouts/refusals"

/** What is not done with a payout, and why. */
export class PayoutRefused extends RefusedDeed {
  constructor(refused: PayoutRefusal) {
    const { code, text } = payoutRefusal(refused)
    super(code, text)
  }
}
