import { createHash } from "node:crypto"

import { atLabelledPoint } from "../database/labelled-points"
import type { Accounts, PayoutRow } from "../modules/payment-service"
import type { SettlePorts } from "../payments/core"
import { reasonOf } from "../refusals/refused"
import { type PreparedPayout, type ReplyFacts, TIMEOUTS } from "../service/client"
import { PaymentServiceError } from "../service/errors"
import { digestsOf } from "../values/digests"
import { readNumber, requireNoNumber, requireSameCard, whyOtherNumber } from "./cards"
import { accountFor, type Acting, isToBeDone, PayoutRefused, requireRevision } from "./may-pay-out"
import {
  findRefund,
  bookPayoutRefund,
  type LockedRefund,
  namesOf,
  requireLeft,
  requireStillPaid,
  whilePayingBack,
} from "./refund"
import { outcomeOf, type PayoutAnswer } from "./rules/outcome"
import { brokenLimit, localDay } from "./rules/payout"
import { cardFacts, type LockedPayout } from "./statements/payouts"

/** A payout counts as lost this long after its time-out. A request that would end later is not made. */
const MARGIN_MS = 30_000

interface SendingInput {
  /** Only for a payout without a saved card. The number exists only in memory, while this runs. */
  card_number: string | null
  /** True repeats the same request for an unknown payout. */
  again: boolean
  /** The revision that the admin saw. */
  revision: number
}

/**
 * Sends a payout, or sends it again. Before the request, the row records `sending` with key and digest. A conditional change lets
 * only one caller make the request; another one is told how the payout stands. An answer that cannot be recorded is unknown.
 */
export async function sendPayout(acting: Acting, id: string, input: SendingInput): Promise<void> {
  await send(acting, id, input).catch((error: unknown) => {
    const isOfRepetition = input.again && error instanceof PayoutRefused
    throw isOfRepetition ? new PayoutRefused(error.refused, true) : error
  })
}

async function send(acting: Acting, id: string, input: SendingInput): Promise<void> {
  const { module, accounts } = acting
  const { again } = input
  const seen = await module.payouts.get(id)
  if (!isToBeDone(actionOf(input), seen, acting)) return
  const ready = prepare(accounts, seen, input.card_number)
  await requireSameCard(acting, seen)

  // A repeated payout was counted at its first sending, and pays back the payment of that one, whatever is due now.
  const refund = again ? null : await findRefund(acting, seen)
  const rowId = seen.transaction_row_id
  const before = again && rowId !== null ? await module.transactions.get(rowId) : refund?.row
  if (before) await requireStillPaid(acting, before)
  const claimed = await whilePayingBack(acting, refund, (locked) =>
    claim(acting, { seen, input, ready }, locked)
  )
  if (claimed === null) return
  if (typeof claimed === "string") throw new PayoutRefused(claimed)
  const { attempt, answerBy } = claimed
  await atLabelledPoint("payout:committed")
  const bar = await barOfRequest(acting, answerBy - TIMEOUTS.payoutMs)
  const answer: PayoutAnswer =
    bar === null ? await requestPayout(ready.prepared) : { kind: "not_made", why: bar }
  await atLabelledPoint("payout:answered")
  await recordAnswer(acting, id, attempt, answer)
  await atLabelledPoint("payout:recorded")
  await bookPayoutRefund(acting, { id, transaction_row_id: before?.id ?? null })
  await acting.core.sendEvents().catch((error: unknown) => {
    module.logger.warn(`Payment Service: events wait to be sent: ${reasonOf(error)}`)
  })
}

const actionOf = ({ again }: SendingInput) => (again ? "send_again" : "send")

/** A request that is ready to be made, with the digests of its bytes, of which the first one is kept, and what is kept of a number. */
function prepare(accounts: Accounts, row: PayoutRow, typed: string | null) {
  const account = accountFor(accounts, row)
  const client = accounts.client(account)
  const { id, amount: amountRub, card_id: cardId, idempotency_key: key } = row
  if (cardId !== null) {
    requireNoNumber(typed)
    const prepared = client.preparePayout({ cardId, amountRub }, key)
    const digest = createHash("sha256").update(prepared.body).digest("hex")
    return { account, prepared, digests: [digest], kept: {} }
  }
  const { digits: cardNumber, kept } = readNumber(typed, accounts, account, id)
  const prepared = client.preparePayout({ cardNumber, amountRub }, key)
  const digests = digestsOf(accounts.cardKeys(account), id, prepared.body)
  return { account, prepared, digests, kept }
}

/**
 * Claims the sending for this request, in one transaction on the locked row.
 *
 * @returns the attempt, and when it counts as lost; null when another caller has it; why the typed number is wrong, which is kept
 */
async function claim(
  acting: Acting,
  sending: { seen: PayoutRow; input: SendingInput; ready: ReturnType<typeof prepare> },
  refund: LockedRefund | null
) {
  const { accounts, admin } = acting
  const { seen, input, ready } = sending
  const { again } = input
  const { payouts } = acting.module
  const work = async (payout: LockedPayout) => {
    const { row, now } = payout
    if ((await payout.stop()) !== null) throw new PayoutRefused("payouts_stopped")
    if (!isToBeDone(actionOf(input), row, acting)) return null
    requireRevision(row, input.revision)
    // The request was prepared for the revision that was read before.
    requireRevision(row, seen.revision)
    if (again && row.attempts !== seen.attempts) return null
    // The maker, the approver or the first sender has typed it, too.
    if (again || row.card_mac !== null) {
      const why = await whyOtherNumber(payout, input.card_number, acting)
      if (why !== null) return why
    }
    const [body_digest = null] = ready.digests
    // A repeated request must be the first one, byte for byte.
    if (again && !ready.digests.some((digest) => digest === row.body_digest)) {
      throw new PayoutRefused("other_request")
    }
    if (refund) await requireLeft(payout, refund)
    const today = localDay(now, accounts.store.payouts.timeZone)
    // A repeated payout was counted on the day of its last sending; on another day it may pay only now.
    if (row.limit_day !== today || !again) {
      const broken = brokenLimit(row.amount, await payout.usedOn(today), accounts.store.payouts)
      if (broken) throw new PayoutRefused(broken)
    }
    const attempt = row.attempts + 1
    const answerBy = now.getTime() + TIMEOUTS.payoutMs + MARGIN_MS
    await payout.update({
      state: "sending",
      attempts: attempt,
      answer_by: new Date(answerBy),
      body_digest,
      ...ready.kept,
      limit_day: today,
      ...(again ? {} : { sent_at: now, reason_code: null, reason_facts: null }),
      ...(refund && namesOf(refund)),
      sent_by: admin.id,
      sent_by_name: admin.name,
    })
    if (refund && !refund.isHeld && !(await payout.followMoney({ isClaim: true }))) {
      throw new PayoutRefused("being_completed")
    }
    const { amount, card } = cardFacts(payout.row)
    await payout.note("sending", { attempt, amount, card }, admin)
    return { attempt, answerBy }
  }
  return await payouts.change(seen.id, work, payouts.alone)
}

/**
 * Looks once more, right before the request: somebody may have stopped payouts since the claim, on any instance, and a process that
 * stood still sends nothing, because a person may have said by now what became of the payout.
 */
async function barOfRequest({ module }: SettlePorts, latest: number) {
  if ((await module.payouts.stop()) !== null) return "payouts_stopped"
  return module.clock.now().getTime() > latest ? "too_slow" : null
}

/** Makes the request once, and returns the answer. It never throws: an error is an answer, too. */
async function requestPayout(prepared: PreparedPayout): Promise<PayoutAnswer> {
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
    }
  }
}

/**
 * Records the answer to a request. A late answer counts, too, even if the payout was already taken for lost. An id that another
 * payout has proves nothing: the database refuses it, and the payout is taken for lost.
 */
async function recordAnswer(
  { module }: SettlePorts,
  id: string,
  attempt: number,
  answer: PayoutAnswer
): Promise<void> {
  const outcome = outcomeOf(answer, attempt === 1)
  const isCreated = outcome.state === "created"
  await module.payouts.change(id, async (payout) => {
    const { state: before, card_last4, attempts } = payout.row
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
        ...(answer.kind === "answered" && { withdrawal_record_id: answer.withdrawalRecordId }),
        ...(isCreated && {
          amount_usdt: outcome.amountUsdt,
          card_last4: card_last4 ?? outcome.last4,
        }),
      })
    }
    if (answer.kind === "not_made") {
      await payout.note("not_sent", { attempt, reason: answer.why }, null)
    } else {
      const late = before !== "sending" || attempts !== attempt
      const http_status = answer.kind === "answered" ? 200 : answer.httpStatus
      const { state, reason } = outcome
      await payout.note("answered", { attempt, state, reason, http_status, late }, null)
    }
    const { state } = payout.row
    if (state !== before) await payout.publish()
    if (state === "created") await payout.proveRefund()
    // Only then do the payouts say something else about whether the money goes back.
    const isPaidAfterAll = state === "created" && before === "marked_not_sent"
    if (isPaidAfterAll || (state === "rejected" && state !== before)) await payout.followMoney()
    if (state !== "unknown" && state !== "sending") await payout.closeUnknown()
  })
}
