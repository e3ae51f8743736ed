import type { SettlePorts } from "../payments/core"
import type { PreparedPayout, ReplyFacts } from "../service/client"
import { PaymentServiceError } from "../service/errors"
import { maskedCard } from "./rules/card-text"
import {
  outcomeOf,
  type PayoutAnswer,
  type PayoutFailure,
  type PayoutOutcome,
} from "./rules/outcome"
import type { LockedPayout } from "./statements/payouts"

const FAILURES: Partial<Record<PaymentServiceError["kind"], PayoutFailure>> = {
  timeout: "timeout",
  unavailable: "unavailable",
  malformed: "malformed",
}

/** Makes the request once, and returns the answer. It never throws: an error is an answer, too. */
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

/** Records the answer to a request. A late answer counts, too, even if the payout was already taken for lost. */
export async function recordAnswer(
  { module }: SettlePorts,
  id: string,
  attempt: number,
  answer: PayoutAnswer
): Promise<void> {
  await module.payouts.change(id, async (payout) => {
    const outcome = await unlessIdIsTaken(payout, outcomeOf(answer, attempt === 1))
    const { state: before, card_last4: last4, attempts } = payout.row
    await record(payout, attempt, outcome)
    const { state } = payout.row
    const named = outcome.state === "created" ? outcome.last4 : null
    const other_card = last4 !== null && named !== last4 ? maskedCard(named) : null
    await payout.note(
      "answered",
      {
        attempt,
        state: outcome.state,
        reason: outcome.state === "created" ? null : outcome.reason,
        http_status: answer.kind === "answered" ? 200 : answer.httpStatus,
        late: before !== "sending" || attempts !== attempt,
        ...(other_card === null ? {} : { other_card }),
      },
      null
    )
    if (state !== before) await payout.publish()
    if (state === "created") await payout.proveRefund()
    // Only then do the payouts say something else about whether the money goes back.
    const isPaidAfterAll = state === "created" && before === "marked_not_sent"
    if (isPaidAfterAll || (state === "rejected" && state !== before)) await payout.followMoney()
    if (state !== "unknown" && state !== "sending") await payout.closeUnknown()
  })
}

/**
 * Makes the outcome `unknown` if another payout has the id: the service makes one payout per key, so the id proves nothing here.
 */
async function unlessIdIsTaken(
  payout: LockedPayout,
  outcome: PayoutOutcome
): Promise<PayoutOutcome> {
  const id = idIn(outcome)
  if (id === null || !(await payout.isTaken(id))) return outcome
  const facts = { withdrawal_record_id: id, http_status: 200 }
  return { state: "unknown", reason: "id_taken", facts }
}

/** The service's id for the payout, if the answer has one. */
function idIn(outcome: PayoutOutcome): string | null {
  if (outcome.state === "created") return outcome.withdrawalRecordId
  return outcome.reason === "other_status" ? (outcome.facts.withdrawal_record_id ?? null) : null
}

async function record(payout: LockedPayout, attempt: number, outcome: PayoutOutcome) {
  const { row, now } = payout
  const id = idIn(outcome)
  const answered = { state: outcome.state, answered_at: now, answer_by: null }
  if (outcome.state === "created") {
    // All its requests have the same key, so any of them proves the payout, whatever a person said meanwhile.
    if (row.state === "created") return
    await payout.update({
      ...answered,
      withdrawal_record_id: id,
      amount_usdt: outcome.amountUsdt,
      card_last4: row.card_last4 ?? outcome.last4,
      reason_code: null,
      reason_facts: null,
    })
    return
  }
  const isUnderWay = row.state === "sending" || row.state === "unknown"
  if (row.attempts !== attempt || !isUnderWay) return
  await payout.update({
    ...answered,
    reason_code: outcome.reason,
    reason_facts: outcome.facts,
    // The id lets a person find the payout at the service, so later answers without an id must not remove it.
    ...(id === null ? {} : { withdrawal_record_id: id }),
  })
}
