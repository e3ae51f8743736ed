import { RefusedDeed } from "../../modules/payment-service/refused-deed"
import { phrase } from "../../settlement/payouts/reasons"
import type { PayoutRefusal } from "../../settlement/payouts/refusals"
import { hasText, text } from "../../texts"

/**
 * A refused deed on a payout, with a text that says what to do. Nobody knows of a repeated payout whether its first request went
 * through, so the text of a refused repetition must not invite a second payout.
 */
export class PayoutRefused extends RefusedDeed {
  /** @param isRepetition whether the payout was sent before, so that money may have gone already */
  constructor(refused: PayoutRefusal, isRepetition = false) {
    const { code, ...facts } = typeof refused === "string" ? { code: refused } : refused
    const words =
      isRepetition && hasText("payoutRepetitions", code)
        ? phrase("repetition", { refusal: text("payoutRepetitions", code) })
        : text("payoutRefusals", code, facts)
    super(code, words, typeof refused === "object" ? refused : {})
  }
}
