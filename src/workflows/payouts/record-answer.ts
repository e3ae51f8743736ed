import type { LockedPayout } from "../../modules/payment-service/payouts"
import { maskedCard } from "../../settlement/payouts/card-text"
import { outcomeOf, type PayoutAnswer, type PayoutOutcome } from "../../settlement/payouts/outcome"
import type { SettlePorts } from "../ports"

/** Records the answer to a request. A late answer counts, too, even if the payout was already taken for lost. */
export async function recordAnswer(
  { module }: SettlePorts,
  id: string,
  attempt: number,
  answer: PayoutAnswer
): Promise<void> {
  await module.payouts.change(id, async (payout) => {
    const outcome = await unlessIdIsTaken(payout, outcomeOf(answer, attempt === 1))
    const before = payout.row.state
    const card = payout.row.card_last4
    await record(payout, attempt, outcome)
    const { state } = payout.row
    await payout.note(
      "answered",
      {
        attempt,
        state: outcome.state,
        reason: outcome.state === "created" ? null : outcome.reason,
        http_status: answer.kind === "answered" ? 200 : answer.httpStatus,
        late: before !== "sending" || payout.row.attempts !== attempt,
        ...otherCardIn(outcome, card),
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

/** The card in the answer, if the payout was meant for another one. */
function otherCardIn(outcome: PayoutOutcome, last4: string | null): { other_card?: string } {
  const named = outcome.state === "created" ? outcome.last4 : null
  const other = last4 !== null && named !== last4 ? maskedCard(named) : null
  return other === null ? {} : { other_card: other }
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
  if (outcome.state === "created") {
    // All its requests have the same key, so any of them proves the payout, whatever a person said meanwhile.
    if (row.state === "created") return
    await payout.update({
      state: "created",
      withdrawal_record_id: outcome.withdrawalRecordId,
      amount_usdt: outcome.amountUsdt,
      card_last4: row.card_last4 ?? outcome.last4,
      answered_at: now,
      answer_by: null,
      reason_code: null,
      reason_facts: null,
    })
    return
  }
  const isUnderWay = row.state === "sending" || row.state === "unknown"
  if (row.attempts !== attempt || !isUnderWay) return
  const id = idIn(outcome)
  await payout.update({
    state: outcome.state,
    reason_code: outcome.reason,
    reason_facts: outcome.facts,
    // The id lets a person find the payout at the service, so later answers without an id must not remove it.
    ...(id === null ? {} : { withdrawal_record_id: id }),
    answered_at: now,
    answer_by: null,
  })
}
