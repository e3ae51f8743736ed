import { MedusaError } from "@medusajs/framework/utils"

import { REFUSED_DEEDS, type RefusedDeedCode } from "../../settlement/problems/refused-deeds"
import type { Text } from "../../settlement/problems/words"

type FactsOf<Code extends RefusedDeedCode> = Parameters<(typeof REFUSED_DEEDS)[Code]>

/** The plugin's refusal of an admin's request. The message is English; routes answer in the reader's language. */
export class RefusedDeed extends MedusaError {
  constructor(
    code: string,
    readonly messages: Text
  ) {
    super(MedusaError.Types.NOT_ALLOWED, messages.en, code)
  }
}

/** The refusal of this code, type `NOT_ALLOWED`. */
export function refused<Code extends RefusedDeedCode>(
  code: Code,
  ...facts: FactsOf<Code>
): RefusedDeed {
  const textOf = REFUSED_DEEDS[code] as (...facts: FactsOf<Code>) => Text
  return new RefusedDeed(code, textOf(...facts))
}
