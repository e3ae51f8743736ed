import { MedusaError } from "@medusajs/framework/utils"

import type { Text } from "../../settlement/problems/words"
import { payoutRefusal, type PayoutRefusal } from "../../settlement/payouts/refusals"

/** What is not done with a payout, and why: a code, and words in each language. */
export class PayoutRefused extends MedusaError {
  readonly messages: Text

  constructor(refused: PayoutRefusal) {
    const { code, text } = payoutRefusal(refused)
    super(MedusaError.Types.NOT_ALLOWED, text.en, code)
    this.messages = text
  }
}
