import { withoutCardNumbers } from "./card-text"
import type { PayoutReasonCode, ReasonFacts } from "./reasons"

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
      /** Seconds that this server's clock is ahead of the service's, if the reply had a `Date`. */
      clockAheadSeconds: number | null
    }

export type PayoutOutcome =
  | { state: "created"; reason: null; facts: null; amountUsdt: string | null; last4: string | null }
  | { state: "rejected" | "unknown"; reason: PayoutReasonCode; facts: ReasonFacts }

/** The statuses by which the service refuses a request, so that no money went. */
const REFUSALS = [400, 401, 403, 404, 422]
/** One second less than the 300 s that the service accepts of a signature's time, because `Date` has whole seconds. */
const CLOCK_TOLERANCE_SECONDS = 299

/** Whether the clock is so wrong that signatures are refused. */
export function isClockOff(aheadSeconds: number | null): aheadSeconds is number {
  return aheadSeconds !== null && Math.abs(aheadSeconds) > CLOCK_TOLERANCE_SECONDS
}

/**
 * Decides the state of a payout after an answer. Only a refusal of the first request proves that no money went, unless it says that
 * the key was used: a refusal of a later one says nothing about the first, and any other answer may follow a request that went
 * through.
 *
 * @param isTaken whether another payout has the id in the answer: the service makes one payout per key, so the id proves nothing
 */
export function outcomeOf(answer: PayoutAnswer, isFirst: boolean, isTaken = false): PayoutOutcome {
  if (answer.kind === "answered") {
    const { withdrawalRecordId: withdrawal_record_id, amountUsdtDebited: amountUsdt } = answer
    const facts = { withdrawal_record_id, http_status: 200 }
    if (isTaken) return { state: "unknown", reason: "id_taken", facts }
    const status = withoutCardNumbers(answer.status)
    if (status !== "CREATED") {
      return { state: "unknown", reason: "other_status", facts: { ...facts, status } }
    }
    const last4 = lastFour(answer.cardMasked)
    return { state: "created", reason: null, facts: null, amountUsdt, last4 }
  }
  const { httpStatus, clockAheadSeconds, detail, topic } = answer
  const isRefused = httpStatus !== null && REFUSALS.includes(httpStatus)
  const facts: ReasonFacts = {
    http_status: httpStatus,
    ...(detail ? { detail } : {}),
    ...(isClockOff(clockAheadSeconds) && isRefused ? { clock_ahead: clockAheadSeconds } : {}),
  }
  // The specification does not show the status of a refusal because of a used key, and such a refusal tells nothing about money.
  if (topic === "key") return { state: "unknown", reason: "conflict", facts }
  if (topic === "unread") return { state: "unknown", reason: "unreadable", facts }
  if (!isRefused) return { state: "unknown", reason: whyUnknown(answer), facts }
  if (!isFirst) return { state: "unknown", reason: "refused_again", facts }
  return { state: "rejected", reason: whyRejected(answer), facts }
}

type Failed = Extract<PayoutAnswer, { kind: "failed" }>

function whyRejected({ httpStatus, topic, clockAheadSeconds }: Failed): PayoutReasonCode {
  // The specification does not show the status of a refused signature, so a wrong clock explains a 400, too, unless its text has
  // another topic.
  const mayBeSignature = httpStatus === 401 || httpStatus === 403 || topic === null
  if (mayBeSignature && isClockOff(clockAheadSeconds)) return "clock_off"
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
