import { RefusedDeed } from "../../modules/payment-service/refused-deed"
import { payoutRefusal, type PayoutRefusal } from "../../settlement/payouts/refusals"

/** A refused deed on a payout, with the reason. */
export class PayoutRefused extends RefusedDeed {
  /** @param isRepetition whether the payout was sent before, so that money may have gone already */
  constructor(refused: PayoutRefusal, isRepetition = false) {
    const { code, text } = payoutRefusal(refused, isRepetition)
    super(code, text, typeof refused === "object" ? refused : {})
  }
}
