import { type Code, hasText, type Text, text } from "../../texts"
import { phrase } from "./reasons"

/** A limit that would be exceeded; amounts are whole rubles. */
export type LimitRefusal =
  { code: "above_per_payout"; limit: number } | { code: "above_per_day"; left: number }

/** A refusal whose text has facts. The rest of the money that a payout may pay back is in whole rubles. */
type RefusalWithFacts =
  LimitRefusal | { code: "above_refund"; left: number } | { code: "clock_off"; clock: Text }

export type PlainRefusalCode = Exclude<Code<"payoutRefusals">, RefusalWithFacts["code"]>
export type PayoutRefusal = PlainRefusalCode | RefusalWithFacts

/**
 * The text of a refusal, which says what to do. Nobody knows of a repeated payout whether its first request went through, so the
 * text of a refused repetition must not invite a second payout.
 *
 * @param isRepetition whether the payout was sent before, so that money may have gone already
 */
export function payoutRefusal(refused: PayoutRefusal, isRepetition = false) {
  const { code, ...facts } = typeof refused === "string" ? { code: refused } : refused
  return isRepetition && hasText("payoutRepetitions", code)
    ? { code, text: phrase("repetition", { refusal: text("payoutRepetitions", code) }) }
    : { code, text: text("payoutRefusals", code, facts) }
}
