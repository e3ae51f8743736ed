import { MedusaError } from "@medusajs/framework/utils"

import {
  NOT_FOUND,
  REFUSED_DEEDS,
  type RefusedDeedCode,
} from "../../settlement/problems/refused-deeds"
import type { Text } from "../../texts"

type FactsOf<Code extends RefusedDeedCode> = Parameters<(typeof REFUSED_DEEDS)[Code]>

/** The plugin's refusal of an admin's request. The message is English; routes answer in the reader's language. */
export class RefusedDeed extends MedusaError {
  constructor(
    code: string,
    readonly messages: Text,
    type: string = MedusaError.Types.NOT_ALLOWED
  ) {
    super(type, messages.en, code)
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

/** The refusal of this code, type `NOT_FOUND`. */
export function notFound(code: keyof typeof NOT_FOUND, id: string): RefusedDeed {
  return new RefusedDeed(code, NOT_FOUND[code]({ id }), MedusaError.Types.NOT_FOUND)
}
