import { type Code, hasText, NOTHING, type Text, text } from "../../texts"
import type { LimitRefusal, PayoutState } from "./payout"

/** The facts that the text of a reason needs besides its code. `detail` is the service's text, without secrets and card numbers. */
export interface ReasonFacts {
  detail?: string
  http_status?: number | null
  /** Seconds that this server's clock is ahead of the service's; negative when it is behind. */
  clock_ahead?: number
  withdrawal_record_id?: string
  status?: string
}

export type PayoutReasonCode = Code<"payoutReasons">

/** A part that several texts on payouts share. */
export const phrase = (code: Code<"payoutPhrases">, facts?: Parameters<typeof text>[2]): Text =>
  text("payoutPhrases", code, facts)

/** Why a payout was rejected or is unknown, as its row says; null for any other. */
export function reasonOf(row: {
  state: PayoutState
  reason_code: string | null
  reason_facts: ReasonFacts | null
}) {
  const { state, reason_code, reason_facts } = row
  const hasReason = (state === "rejected" || state === "unknown") && reason_code !== null
  return hasReason ? payoutReason(reason_code, reason_facts ?? {}) : null
}

/** A reason as text that says what to do. */
export function payoutReason(code: string, facts: ReasonFacts) {
  const known: PayoutReasonCode = hasText("payoutReasons", code) ? code : "unexpected"
  const { detail, http_status: httpStatus, clock_ahead: ahead } = facts
  // The specification does not show which statuses a refused signature and a disabled feature have, so the text names both causes.
  const access = phrase("access")
  const clock = clockRemark(ahead ?? 0)
  return {
    code: known,
    ...text("payoutReasons", known, {
      status: "",
      withdrawal_record_id: "",
      ...facts,
      access,
      cause:
        ahead === undefined ? phrase("no_access", { access }) : phrase("wrong_clock", { clock }),
      clock,
      elsewhere: httpStatus === 404 ? phrase("elsewhere") : NOTHING,
      look: phrase("look"),
      said: detail ? phrase("said", { detail }) : NOTHING,
    }),
  }
}

/** A text on how wrong the clock is, and what to do about it. */
export function clockRemark(aheadSeconds: number): Text {
  const seconds = phrase("seconds", { count: Math.round(Math.abs(aheadSeconds)) })
  return phrase(aheadSeconds > 0 ? "clock_ahead" : "clock_behind", { seconds })
}

/** A refusal whose text has facts. The rest of the money that a payout may pay back is in whole rubles. */
type RefusalWithFacts =
  LimitRefusal | { code: "above_refund"; left: number } | { code: "clock_off"; clock: Text }

export type PlainRefusalCode = Exclude<Code<"payoutRefusals">, RefusalWithFacts["code"]>
export type PayoutRefusal = PlainRefusalCode | RefusalWithFacts
