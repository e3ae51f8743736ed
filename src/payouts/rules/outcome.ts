import { type Code, hasText, NOTHING, type Text, text } from "../../texts"
import { withoutCardNumbers } from "./card-text"
import type { LimitRefusal, PayoutFacts, PayoutState } from "./payout"

/** The answer to a payout's request. */
export type PayoutAnswer =
  | {
      /** 200, with a body as specified. */
      kind: "answered"
      status: string
      withdrawalRecordId: string
      amountUsdtDebited: string | null
      cardMasked: string | null
    }
  | { kind: "not_made"; why: PayoutFacts["not_sent"]["reason"] }
  | {
      kind: "failed"
      /** The kind of the client's error; null for another error. */
      failure: string | null
      /** Null when no reply came. */
      httpStatus: number | null
      /** Not a byte was sent. */
      isUnsent: boolean
      /** `unread`: the text is too long, or broke off. */
      topic: "key" | "balance" | "amount" | "card" | "feature" | "unread" | null
      /** The service's words, when they may be shown. */
      detail: string | null
    }

export type PayoutOutcome =
  | { state: "created"; reason: null; facts: null; amountUsdt: string | null; last4: string | null }
  | { state: "rejected" | "unknown"; reason: PayoutReasonCode; facts: ReasonFacts }

export type PayoutReasonCode = Code<"payoutReasons">

/** The facts that the text of a reason needs besides its code. `detail` is the service's text, without secrets and card numbers. */
export interface ReasonFacts {
  detail?: string
  http_status?: number | null
  withdrawal_record_id?: string
  status?: string
}

/** The statuses by which the service refuses a request, so that no money went. */
const REFUSALS = [400, 401, 403, 404, 422]

/**
 * Decides the state of a payout after an answer. Only a refusal of the first request proves that no money went, unless it says that
 * the key was used: a refusal of a later one says nothing about the first, and any other answer may follow a request that went
 * through.
 */
export function outcomeOf(answer: PayoutAnswer, isFirst: boolean): PayoutOutcome {
  if (answer.kind === "answered") {
    const { withdrawalRecordId: withdrawal_record_id, amountUsdtDebited: amountUsdt } = answer
    const status = withoutCardNumbers(answer.status)
    if (status !== "CREATED") {
      const facts = { withdrawal_record_id, http_status: 200, status }
      return { state: "unknown", reason: "other_status", facts }
    }
    const last4 = lastFour(answer.cardMasked)
    return { state: "created", reason: null, facts: null, amountUsdt, last4 }
  }
  if (answer.kind === "not_made") {
    return { state: isFirst ? "rejected" : "unknown", reason: answer.why, facts: {} }
  }
  const { httpStatus, detail, topic } = answer
  const isRefused = httpStatus !== null && REFUSALS.includes(httpStatus)
  const facts: ReasonFacts = { http_status: httpStatus, ...(detail ? { detail } : {}) }
  // The specification does not show the status of a refusal because of a used key, and such a refusal tells nothing about money.
  if (topic === "key") return { state: "unknown", reason: "conflict", facts }
  if (topic === "unread") return { state: "unknown", reason: "unreadable", facts }
  if (!isRefused) return { state: "unknown", reason: whyUnknown(answer), facts }
  if (!isFirst) return { state: "unknown", reason: "refused_again", facts }
  return { state: "rejected", reason: whyRejected(answer), facts }
}

type Failed = Extract<PayoutAnswer, { kind: "failed" }>

function whyRejected({ httpStatus, topic }: Failed): PayoutReasonCode {
  if (topic === "balance") return "balance_too_low"
  if (httpStatus === 401) return "secret_refused"
  if (topic === "feature") return "feature_off"
  if (httpStatus === 403) return "secret_refused"
  if (topic === "amount") return "amount_refused"
  if (topic === "card") return "card_refused"
  return "refused"
}

function whyUnknown({ failure, httpStatus, isUnsent }: Failed): PayoutReasonCode {
  if (isUnsent) return "not_reached"
  if (httpStatus === 409) return "conflict"
  if (httpStatus === 425 || httpStatus === 429) return "too_many"
  if (failure === "timeout") return "no_answer"
  if (httpStatus !== null && httpStatus >= 500) return "service_down"
  if (failure === "unavailable") return "connection_broken"
  if (failure === "malformed" && (httpStatus === null || httpStatus === 200)) return "unreadable"
  return "unexpected"
}

/** The last four digits of a masked card, in whatever form the service masks it. */
export function lastFour(masked: string | null): string | null {
  return /(\d{4})\D*$/.exec(masked ?? "")?.[1] ?? null
}

/** Why a payout was rejected or is unknown, as its row says; null for any other. */
export function outcomeReason(row: {
  state: PayoutState
  reason_code: string | null
  reason_facts: ReasonFacts | null
}) {
  const { state, reason_code, reason_facts } = row
  const hasReason = (state === "rejected" || state === "unknown") && reason_code !== null
  return hasReason ? payoutReason(reason_code, reason_facts ?? {}) : null
}

/** A reason as text that says what to do. */
export function payoutReason(code: string, facts: ReasonFacts): Text & { code: PayoutReasonCode } {
  const known: PayoutReasonCode = hasText("payoutReasons", code) ? code : "unexpected"
  const { detail, http_status: httpStatus } = facts
  const phrases = {
    // The specification does not show which statuses a refused signature and a disabled feature have, so the text names all causes.
    access: text("payoutPhrases", "access"),
    elsewhere: httpStatus === 404 ? text("payoutPhrases", "elsewhere") : NOTHING,
    look: text("payoutPhrases", "look"),
    said: detail ? text("payoutPhrases", "said", { detail }) : NOTHING,
  }
  const named = { status: "", withdrawal_record_id: "", ...facts, ...phrases }
  return { code: known, ...text("payoutReasons", known, named) }
}

/** A refusal whose text has facts. The rest of the money that a payout may pay back is in whole rubles. */
type RefusalWithFacts = LimitRefusal | { code: "above_refund"; left: number }

export type PlainRefusalCode = Exclude<Code<"payoutRefusals">, RefusalWithFacts["code"]>
export type PayoutRefusal = PlainRefusalCode | RefusalWithFacts
