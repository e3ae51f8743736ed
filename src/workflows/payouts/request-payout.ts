import type { PreparedPayout, ReplyFacts } from "../../service/client"
import { PaymentServiceError } from "../../service/errors"
import type { PayoutAnswer, PayoutFailure } from "../../settlement/payouts/outcome"

const FAILURES: Partial<Record<PaymentServiceError["kind"], PayoutFailure>> = {
  timeout: "timeout",
  unavailable: "unavailable",
  malformed: "malformed",
}

/** Makes the request once, and returns the outcome. It never throws: an error is an outcome, too. */
export async function requestPayout(prepared: PreparedPayout): Promise<PayoutAnswer> {
  let heard: Partial<ReplyFacts> = {}
  try {
    const reply = await prepared.send({ onReply: (facts) => void (heard = facts) })
    return {
      kind: "answered",
      status: reply.status,
      withdrawalRecordId: reply.withdrawalRecordId,
      amountUsdt: reply.amountUsdtDebited,
      cardMasked: reply.cardMasked,
    }
  } catch (error) {
    const known = error instanceof PaymentServiceError ? error : null
    const httpStatus = known?.httpStatus ?? heard.httpStatus ?? null
    return {
      kind: "failed",
      failure: known ? (FAILURES[known.kind] ?? "refused") : "other",
      httpStatus,
      isUnsent: known?.kind === "unavailable" && httpStatus === null && !known.mayHaveTakenEffect,
      topic: known?.topic ?? null,
      detail: known?.detail ?? null,
      clockAheadSeconds: heard.clockAheadSeconds ?? null,
    }
  }
}
