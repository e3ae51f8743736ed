import type { PayoutRow } from "../../modules/payment-service/tables"
import { type Code, hasText, NOTHING, text } from "../../texts"
import { lastFour, withoutCardNumbers } from "./card-text"
import type { PayoutFacts } from "./payout"

/** The answer to a payout's request; `answered` is 200, with a body as specified. */
export type PayoutAnswer =
  | {
      kind: "answered"
      status: string
      withdrawalRecordId: string
      amountUsdtDebited: string | null
      cardMasked: string | null
    }
  | { kind: "not_made"; why: PayoutFacts["not_sent"]["reason"] }
  | { kind: "failed"; error: Failure | null }

/** The client's error; any other one is a fault of ours. */
interface Failure {
  kind: string
  /** False when the service refused the request, or not a byte was sent. */
  mayHaveTakenEffect: boolean
  /** There is none when no whole reply came. */
  httpStatus?: number
  /** `unread`: the text is too long, or broke off. */
  topic?: "key" | "balance" | "amount" | "card" | "feature" | "unread"
  detail?: string
}

interface PayoutOutcome {
  state: "created" | "rejected" | "unknown"
  reason_code: Code<"payoutReasons"> | null
  reason_facts: ReasonFacts | null
  /** It lets a person find the payout at the service, so later answers without it do not remove it. */
  withdrawal_record_id?: string
  amount_usdt?: string | null
  card_last4?: string | null
}

/** The facts in a reason's text. `detail` is the service's text, without secrets and card numbers. */
interface ReasonFacts {
  detail?: string
  http_status?: number | null
  withdrawal_record_id?: string
  status?: string
}

/** Only a refusal of the first request proves that no money went: any other may follow one that went through. */
export function outcomeOf(answer: PayoutAnswer, isFirst: boolean): PayoutOutcome {
  if (answer.kind === "answered") {
    const { withdrawalRecordId: withdrawal_record_id, amountUsdtDebited: amount_usdt } = answer
    const status = withoutCardNumbers(answer.status)
    if (status !== "CREATED") {
      const reason_facts = { withdrawal_record_id, http_status: 200, status }
      return { state: "unknown", reason_code: "other_status", reason_facts, withdrawal_record_id }
    }
    const card_last4 = lastFour(answer.cardMasked)
    const none = { reason_code: null, reason_facts: null }
    return { state: "created", ...none, withdrawal_record_id, amount_usdt, card_last4 }
  }
  if (answer.kind === "not_made") {
    return { state: isFirst ? "rejected" : "unknown", reason_code: answer.why, reason_facts: {} }
  }
  const { error } = answer
  const { httpStatus, detail } = error ?? {}
  const reason_facts = { http_status: httpStatus ?? null, ...(detail ? { detail } : {}) }
  if (!error) return { state: "unknown", reason_code: "unexpected", reason_facts }
  const isRefused = httpStatus !== undefined && !error.mayHaveTakenEffect
  return isRefused && isFirst
    ? { state: "rejected", reason_code: whyRejected(error), reason_facts }
    : { state: "unknown", reason_code: whyUnknown(error, isRefused), reason_facts }
}

function whyRejected({ httpStatus, topic }: Failure): Code<"payoutReasons"> {
  if (topic === "balance") return "balance_too_low"
  if (topic === "feature") return "feature_off"
  if (httpStatus === 401 || httpStatus === 403) return "secret_refused"
  if (topic === "amount") return "amount_refused"
  if (topic === "card") return "card_refused"
  return "refused"
}

function whyUnknown(error: Failure, isRefused: boolean): Code<"payoutReasons"> {
  const { kind, httpStatus, topic } = error
  // The specification does not show the status of a refusal because of a used key, and such a refusal tells nothing about money.
  if (topic === "key" || httpStatus === 409) return "conflict"
  if (topic === "unread") return "unreadable"
  if (isRefused) return "refused_again"
  if (httpStatus === 425 || httpStatus === 429) return "too_many"
  if (httpStatus === undefined && !error.mayHaveTakenEffect) return "not_reached"
  if (kind === "timeout") return "no_answer"
  if (httpStatus !== undefined && httpStatus >= 500) return "service_down"
  if (kind === "unavailable") return "connection_broken"
  if (kind === "malformed" && httpStatus === undefined) return "unreadable"
  return "unexpected"
}

/** Why a payout was rejected or is unknown, as text that says what to do; null for any other. */
export function outcomeReason(row: Pick<PayoutRow, "state" | "reason_code" | "reason_facts">) {
  if ((row.state !== "rejected" && row.state !== "unknown") || row.reason_code === null) return null
  const code = hasText("payoutReasons", row.reason_code) ? row.reason_code : "unexpected"
  const facts: ReasonFacts = row.reason_facts ?? {}
  const { detail, http_status: httpStatus } = facts
  const named = {
    status: "",
    withdrawal_record_id: "",
    ...facts,
    // The specification does not show which statuses a refused signature and a disabled feature have, so the text names all causes.
    access: text("payoutPhrases", "access"),
    elsewhere: httpStatus === 404 ? text("payoutPhrases", "elsewhere") : NOTHING,
    look: text("payoutPhrases", "look"),
    said: detail ? text("payoutPhrases", "said", { detail }) : NOTHING,
  }
  return { code, ...text("payoutReasons", code, named) }
}
