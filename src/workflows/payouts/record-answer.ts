import type { LockedPayout } from "../../modules/payment-service/payouts"
import { maskedCard } from "../../settlement/payouts/card-text"
import { outcomeOf, type PayoutAnswer, type PayoutOutcome } from "../../settlement/payouts/outcome"
import type { PlainRefusalCode } from "../../settlement/payouts/refusals"
import type { PayoutPorts } from "./ports"

type NotCreated = Exclude<PayoutOutcome, { state: "created" }>

/**
 * Records what came of a request. It may come late, when others have taken the payout for lost already: what it proves
 * holds nevertheless.
 */
export async function recordAnswer(
  { module }: PayoutPorts,
  id: string,
  attempt: number,
  answer: PayoutAnswer
): Promise<void> {
  await module.payouts.change(id, async (payout) => {
    const outcome = await untilTaken(payout, outcomeOf(answer, attempt === 1))
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
    if (state === "created" && before === "marked_not_sent") await payout.leaveMoneyAloneAgain()
    if (state === "rejected" && state !== before) await payout.lookAfterMoney()
    if (state !== "unknown" && state !== "sending") await payout.closeUnknown()
  })
}

/** The card that the answer names, when the payout was meant for another one. */
function otherCardIn(outcome: PayoutOutcome, last4: string | null): { other_card?: string } {
  const named = outcome.state === "created" ? outcome.last4 : null
  const other = last4 !== null && named !== last4 ? maskedCard(named) : null
  return other === null ? {} : { other_card: other }
}

/**
 * A request that was not made after all: the payout is what it was before it, unless somebody has acted on it meanwhile.
 */
export async function holdBack(
  { module }: PayoutPorts,
  id: string,
  attempt: number,
  why: PlainRefusalCode
): Promise<void> {
  await module.payouts.change(id, async (payout) => {
    const { state, attempts } = payout.row
    if (attempts !== attempt || (state !== "sending" && state !== "unknown")) return
    await payout.update(
      attempt === 1
        ? {
            ...{ state: "draft", attempts: 0, answer_by: null, held_until: payout.now },
            ...{ sent_at: null, sent_by: null, sent_by_name: null },
            ...{ body_digest: null, card_mac: null, key_check: null },
            ...{ reason_code: null, reason_facts: null },
            ...(payout.row.card_id === null ? { card_last4: null } : {}),
          }
        : { state: "unknown", answer_by: null }
    )
    if (attempt === 1) await payout.lookAfterMoney()
    await payout.note("held_back", { attempt, why }, null)
  })
}

/** The service makes one payout per key: an id that another payout has already proves nothing about this one. */
async function untilTaken(payout: LockedPayout, outcome: PayoutOutcome): Promise<PayoutOutcome> {
  const id = idIn(outcome)
  if (id === null || !(await payout.isTaken(id))) return outcome
  return {
    state: "unknown",
    reason: "id_taken",
    facts: { withdrawal_record_id: id, http_status: 200 },
  }
}

/** The id by which the service calls the payout, if it has told one. */
function idIn(outcome: PayoutOutcome): string | null {
  if (outcome.state === "created") return outcome.withdrawalRecordId
  return outcome.reason === "other_status" ? (outcome.facts.withdrawal_record_id ?? null) : null
}

async function record(payout: LockedPayout, attempt: number, outcome: PayoutOutcome) {
  const { row, now } = payout
  if (outcome.state === "created") {
    // Every request for it has the same key, so any of them proves that it was made, whatever a person said meanwhile.
    if (row.state === "created") return
    await payout.update({
      state: "created",
      withdrawal_record_id: outcome.withdrawalRecordId,
      amount_usdt: outcome.amountUsdt,
      card_last4: row.card_last4 ?? outcome.last4,
      ...{ answered_at: now, answer_by: null, reason_code: null, reason_facts: null },
    })
    return
  }
  if (row.attempts !== attempt) return
  const isUnderWay = row.state === "sending" || row.state === "unknown"
  if (isUnderWay) await recordNotCreated(payout, outcome)
}

async function recordNotCreated(payout: LockedPayout, outcome: NotCreated) {
  const { state, reason, facts } = outcome
  const id = idIn(outcome)
  await payout.update({
    ...{ state, reason_code: reason, reason_facts: facts },
    // By its id, a person finds the payout at the service, also when later answers do not name it any more.
    ...(id === null ? {} : { withdrawal_record_id: id }),
    ...{ answered_at: payout.now, answer_by: null },
  })
}
