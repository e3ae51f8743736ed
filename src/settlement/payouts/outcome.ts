import { withoutCardNumbers } from "./card-text"
import type { PayoutReasonCode, ReasonFacts } from "./reasons"

/** The answer to a request for a payout, in words of our own. */
export type PayoutAnswer =
  | {
      /** 200, with a body as specified. */
      kind: "answered"
      status: string
      withdrawalRecordId: string
      amountUsdt: string | null
      cardMasked: string | null
    }
  | {
      kind: "failed"
      failure: PayoutFailure
      /** Null when no reply came. */
      httpStatus: number | null
      /** Not a byte was sent. */
      isUnsent: boolean
      topic: "key" | "balance" | "amount" | "card" | "feature" | null
      /** The service's words, when they may be shown. */
      detail: string | null
      /** Seconds that this server's clock is ahead of the service's, if it told its time. */
      clockAheadSeconds: number | null
    }
export type PayoutFailure = "timeout" | "unavailable" | "malformed" | "refused" | "other"

export type PayoutOutcome =
  | {
      state: "created"
      withdrawalRecordId: string
      amountUsdt: string | null
      last4: string | null
    }
  | {
      state: "rejected" | "unknown"
      reason: PayoutReasonCode
      facts: ReasonFacts
    }

/** The replies by which the service refuses a request, so that nothing came of it. */
const REFUSALS = [400, 401, 403, 404, 422]
/** The window of signatures ("Signed scheme", 4); `Date` is in whole seconds, and read in between. */
const CLOCK_TOLERANCE_SECONDS = 299

/** Seconds that this server's clock is ahead of the service's, whose `Date` was read between question and answer. */
export function clockAhead(askedAt: number, answeredAt: number, date: Date): number {
  const middle = (askedAt + answeredAt) / 2
  // It is told in whole seconds.
  return Math.round((middle - date.getTime() - 500) / 1_000)
}

/** Whether a signature is refused because of it. */
export function isClockOff(aheadSeconds: number | null): aheadSeconds is number {
  return aheadSeconds !== null && Math.abs(aheadSeconds) > CLOCK_TOLERANCE_SECONDS
}

/**
 * Decides the state of a payout after an answer. Only a refusal of the first request proves that no money went, unless it
 * speaks of a key that was used: that of another one says nothing about the first, and anything else may come from a
 * request that went through.
 */
export function outcomeOf(answer: PayoutAnswer, isFirst: boolean): PayoutOutcome {
  if (answer.kind === "answered") {
    const { status, withdrawalRecordId, amountUsdt, cardMasked } = answer
    return status === "CREATED"
      ? { state: "created", withdrawalRecordId, amountUsdt, last4: lastFour(cardMasked) }
      : {
          state: "unknown",
          reason: "other_status",
          facts: {
            status: withoutCardNumbers(status),
            withdrawal_record_id: withdrawalRecordId,
            http_status: 200,
          },
        }
  }
  const { httpStatus, clockAheadSeconds, detail } = answer
  const isRefused = httpStatus !== null && REFUSALS.includes(httpStatus)
  const facts: ReasonFacts = {
    http_status: httpStatus,
    ...(detail ? { detail } : {}),
    ...(isClockOff(clockAheadSeconds) && isRefused ? { clock_ahead: clockAheadSeconds } : {}),
  }
  // The status of a refusal of a key that was used is not shown ("Errors"), and such a refusal tells nothing about money.
  if (answer.topic === "key") return { state: "unknown", reason: "conflict", facts }
  if (!isRefused) return { state: "unknown", reason: whyUnknown(answer), facts }
  if (!isFirst) return { state: "unknown", reason: "refused_again", facts }
  return { state: "rejected", reason: whyRejected(answer), facts }
}

type Failed = Extract<PayoutAnswer, { kind: "failed" }>

function whyRejected({ httpStatus, topic, clockAheadSeconds }: Failed): PayoutReasonCode {
  // The status of a refused signature is not shown, so a wrong clock explains a 400, too, unless it names something else.
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
