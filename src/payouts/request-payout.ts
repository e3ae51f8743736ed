import type { SettlePorts } from "../payments/core"
import type { PreparedPayout, ReplyFacts } from "../service/client"
import { PaymentServiceError } from "../service/errors"
import { maskedCard } from "./rules/card-text"
import { outcomeOf, type PayoutAnswer } from "./rules/outcome"

/** Makes the request once, and returns the answer. It never throws: an error is an answer, too. */
export async function requestPayout(prepared: PreparedPayout): Promise<PayoutAnswer> {
  let heard: Partial<ReplyFacts> = {}
  try {
    const reply = await prepared.send({ onReply: (facts) => void (heard = facts) })
    return { kind: "answered", ...reply }
  } catch (error) {
    const known = error instanceof PaymentServiceError ? error : null
    const httpStatus = known?.httpStatus ?? heard.httpStatus ?? null
    return {
      kind: "failed",
      failure: known?.kind ?? null,
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
  const isAnswered = answer.kind === "answered"
  await module.payouts.change(id, async (payout) => {
    const { state: before, card_last4, attempts } = payout.row
    const isTaken = isAnswered && (await payout.isTaken(answer.withdrawalRecordId))
    const outcome = outcomeOf(answer, attempt === 1, isTaken)
    const isCreated = outcome.state === "created"
    const last4 = isCreated ? outcome.last4 : null
    const isUnderWay = before === "sending" || before === "unknown"
    // All requests have the same key, so any of them proves the payout, whatever a person said meanwhile.
    const counts = isCreated ? before !== "created" : attempts === attempt && isUnderWay
    if (counts) {
      await payout.update({
        state: outcome.state,
        answered_at: payout.now,
        answer_by: null,
        reason_code: outcome.reason,
        reason_facts: outcome.facts,
        // The id lets a person find the payout at the service, so later answers without an id must not remove it.
        ...(isAnswered && !isTaken ? { withdrawal_record_id: answer.withdrawalRecordId } : {}),
        ...(isCreated ? { amount_usdt: outcome.amountUsdt, card_last4: card_last4 ?? last4 } : {}),
      })
    }
    const other_card = card_last4 !== null && last4 !== card_last4 ? maskedCard(last4) : null
    await payout.note(
      "answered",
      {
        attempt,
        state: outcome.state,
        reason: outcome.reason,
        http_status: isAnswered ? 200 : answer.httpStatus,
        late: before !== "sending" || attempts !== attempt,
        ...(other_card === null ? {} : { other_card }),
      },
      null
    )
    const { state } = payout.row
    if (state !== before) await payout.publish()
    if (state === "created") await payout.proveRefund()
    // Only then do the payouts say something else about whether the money goes back.
    const isPaidAfterAll = state === "created" && before === "marked_not_sent"
    if (isPaidAfterAll || (state === "rejected" && state !== before)) await payout.followMoney()
    if (state !== "unknown" && state !== "sending") await payout.closeUnknown()
  })
}
