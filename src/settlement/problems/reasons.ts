import { type Difference, differenceText } from "./differences"
import { type Refusal, refusalText } from "./refusals"
import type { Text } from "./words"

/** Why something is out of order about a row: what differs, or what Medusa or the service refused. */
export type Reason = Difference | Refusal

/** Reasons in words, one after the other. */
export function reasonsText(reasons: readonly Reason[]): Text {
  const texts = reasons.map((reason) =>
    "what" in reason ? differenceText(reason) : refusalText(reason)
  )
  return {
    en: texts.map(({ en }) => en).join("; "),
    ru: texts.map(({ ru }) => ru).join("; "),
  }
}

/** The same for a log, in English: what was refused is written as Medusa or the service said it. */
export function reasonsAsSaid(reasons: readonly Reason[]): string {
  return reasons
    .map((reason) => ("code" in reason && reason.detail) || reasonsText([reason]).en)
    .join("; ")
}
