import { RefusedDeed } from "../../modules/payment-service/refused-deed"
import { payoutRefusal, type PayoutRefusal } from "../../settlement/payouts/refusals"

/** A deed that is refused for a payout, with the reason. */
export class PayoutRefused extends RefusedDeed {
  constructor(refused: PayoutRefusal) {
    const { code, text } = payoutRefusal(refused)
    super(code, text)
  }
}
