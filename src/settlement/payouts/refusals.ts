import type { Code, Text } from "../../texts"

/** A limit that would be exceeded; amounts are whole rubles. */
export type LimitRefusal =
  { code: "above_per_payout"; limit: number } | { code: "above_per_day"; left: number }

/** A refusal whose text has facts. The rest of the money that a payout may pay back is in whole rubles. */
type RefusalWithFacts =
  LimitRefusal | { code: "above_refund"; left: number } | { code: "clock_off"; clock: Text }

export type PlainRefusalCode = Exclude<Code<"payoutRefusals">, RefusalWithFacts["code"]>
export type PayoutRefusal = PlainRefusalCode | RefusalWithFacts
