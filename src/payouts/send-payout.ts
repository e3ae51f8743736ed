import { createHash } from "node:crypto"

import { MedusaError } from "@medusajs/framework/utils"

import { atLabelledPoint } from "../database/labelled-points"
import type { Accounts, PayoutRow, TransactionRow } from "../modules/payment-service"
import { reportSettlement } from "../payments/apply-decision"
import type { SettlePorts } from "../payments/ports"
import { requireLock } from "../payments/target-lock"
import { LOOK_MS, readTransaction } from "../payments/read-transaction"
import { paidSum } from "../payments/rules/transaction"
import { bookMoneyBack, findMoneyBack, isOfOrdersMoney, paymentIdsOf } from "../problems/money-back"
import { actOnProblem, type OpenProblem, requireTransaction } from "../problems/open-problem"
import { causeOfTransaction, problem } from "../problems/rules/problems"
import { TIMEOUTS } from "../service/client"
import { PaymentServiceError } from "../service/errors"
import { addAmounts, compareSums, smaller, subtractAmounts } from "../values/amount"
import { digestsOf } from "../values/digests"
import {
  accountFor,
  type Acting,
  isToBeDone,
  PayoutRefused,
  recipientOf,
  requireRevision,
  requireSameCard,
  whyOtherNumber,
} from "./draft-payout"
import { maskedCard, withoutCardNumbers } from "./rules/card-text"
import { outcomeOf, type PayoutAnswer } from "./rules/outcome"
import { brokenLimit, inRubles, localDay, PAYOUT_UNKNOWN_MS, wholeRubles } from "./rules/payout"
import { cardFacts, isLost, isUnknownSince, type LockedPayout } from "./statements/payouts"

/** A payout counts as lost this long after its time-out. A request that would end later is not made. */
const MARGIN_MS = 30_000

interface SendingInput {
  /** Only for a payout without a saved card. */
  card_number: string | null
  /** True repeats the same request for an unknown payout. */
  again: boolean
  revision: number
}

/** Sends a payout, or the same request again. Only one of several callers makes it. An answer that cannot be recorded is unknown. */
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
  if (!isToBeDone(again ? "send_again" : "send", seen, acting)) return
  const sending = { seen, input, ready: prepare(accounts, seen, input.card_number) }
  await requireSameCard(acting, seen)

  const rowId = seen.transaction_row_id
  const row = rowId === null ? null : await module.transactions.get(rowId)
  if (row) await requireStillPaid(acting, row)
  const asked = { problem_id: seen.problem_id ?? "", action: "pay_out" } as const
  // A repeated payout was counted at its first sending, whatever is due now.
  const claimed = await (row && !again
    ? actOnProblem(acting, asked, (open) => claim(acting, sending, open))
    : claim(acting, sending, null))
  if (claimed === null) return
  if (typeof claimed === "string") throw new PayoutRefused(claimed)
  const { attempt, answerBy } = claimed
  await atLabelledPoint("payout:committed")
  const answer = await requestPayout(acting, sending.ready, answerBy - TIMEOUTS.payoutMs)
  await atLabelledPoint("payout:answered")
  await recordAnswer(acting, id, attempt, answer)
  await atLabelledPoint("payout:recorded")
  if (row) await bookMoneyBack(acting, row.id)
}

/** Requires that the service still confirms a payment as the row has it: it may have taken the money back itself. */
async function requireStillPaid(acting: Acting, row: TransactionRow): Promise<void> {
  const { module, accounts } = acting
  if (!accounts.findForRow(row)) throw new PayoutRefused("payment_account_gone")
  const reading = readTransaction(module, accounts, row, { timeoutMs: LOOK_MS })
  const { row: now, decision } = await reading.catch((error: unknown) => {
    if (!(error instanceof PaymentServiceError) && !MedusaError.isMedusaError(error)) throw error
    throw new PayoutRefused("not_confirmed")
  })
  await reportSettlement(acting, row, now)
  if (!decision.isMoney) {
    throw new PayoutRefused(now.exception === "reversed" ? "taken_back" : "not_confirmed")
  }
  const isSameSum = compareSums(paidSum(now).amount, paidSum(row).amount) === 0
  if (now.exception !== row.exception || !isSameSum) {
    // The payment may be in order now, and then only the watcher would settle it.
    await module.dueTransactions.hint(row.id)
    throw new PayoutRefused("payment_changed")
  }
}

/** The money that a payout pays back, if it is still to be paid back. The caller holds the open problem, so nobody else acts on it. */
async function moneyToPayBack(
  ports: SettlePorts,
  { transaction_row_id: rowId }: PayoutRow,
  { problem, row: found }: OpenProblem
) {
  const row = requireTransaction(found)
  // Another payment may be due by now, and that one was neither seen nor read.
  if (row.id !== rowId || problem.transaction_row_id !== rowId) {
    throw new PayoutRefused("payment_changed")
  }
  if (row.exception === "reversed") throw new PayoutRefused("taken_back")
  // A settle closes the problem only after it has let the money go: until then, an order may have it already.
  const isInOrder = row.settled_at !== null && row.exception === null
  const isOver = isInOrder && problem.cause === causeOfTransaction(rowId)
  if (isOver) throw new PayoutRefused("problem_closed")
  const money = await findMoneyBack(ports, problem, row)
  const { isInMedusa } = money
  if (!isInMedusa && money.isTaken) throw new PayoutRefused("payment_taken")
  // The sum that payouts may pay back with those that were created already. The service may say less of the payment by now.
  const most = smaller(addAmounts(money.left, money.paidBack.paidOut), paidSum(row).amount)
  // Unknown payouts of these may have paid back the same money.
  const payments = isOfOrdersMoney(problem) ? await paymentIdsOf(ports, row) : [rowId]
  /** Requires that other payouts leave enough. Claims run one after the other on all instances, so no two use the same rest. */
  const requireLeft = async (payout: LockedPayout) => {
    requireLock()
    const { paidOut, underWay } = await payout.paidBackAmong(payments, rowId)
    const left = subtractAmounts(most, paidOut + underWay)
    const isEnough = compareSums(payout.row.amount, left) <= 0
    if (!isEnough) throw new PayoutRefused({ code: "above_refund", left: wholeRubles(left) })
  }
  return { isInMedusa, requireLeft }
}

/** A request that is ready to be made, with the digests of its bytes, of which the first one is kept, and what is kept of a number. */
function prepare(accounts: Accounts, row: PayoutRow, typed: string | null) {
  const account = accountFor(accounts, row)
  const { id, amount: amountRub, idempotency_key: key } = row
  const keys = accounts.cardKeys(account)
  const { recipient, macs, kept } = recipientOf(row, typed, keys)
  const prepared = accounts.client(account).preparePayout({ ...recipient, amountRub }, key)
  const digests = macs
    ? digestsOf(keys, id, prepared.body)
    : [createHash("sha256").update(prepared.body).digest("hex")]
  return { prepared, digests, kept }
}

/** Returns the attempt and when it counts as lost; null when another caller claimed it; why the typed number is wrong, which is kept. */
async function claim(
  acting: Acting,
  sending: { seen: PayoutRow; input: SendingInput; ready: ReturnType<typeof prepare> },
  open: OpenProblem | null
) {
  const { module, accounts, admin } = acting
  const { seen, input, ready } = sending
  const { again } = input
  const refund = open && (await moneyToPayBack(acting, seen, open))
  return await module.payouts.change(seen.id, async (payout) => {
    const { row, now } = payout
    if ((await payout.stop()) !== null) throw new PayoutRefused("payouts_stopped")
    if (!isToBeDone(again ? "send_again" : "send", row, acting)) return null
    // The request was prepared for the revision that was read before.
    requireRevision(row, input.revision, seen.revision)
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
    await refund?.requireLeft(payout)
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
      sent_by: admin.id,
      sent_by_name: admin.name,
    })
    if (refund && !refund.isInMedusa && !(await payout.followMoney({ isClaim: true }))) {
      throw new PayoutRefused("being_completed")
    }
    await payout.note("sending", { attempt, ...cardFacts(payout.row) }, admin)
    return { attempt, answerBy }
  })
}

/** Makes the request once. An error of it is an answer, too; only a failure of the look before it is thrown. */
async function requestPayout(
  { module }: Acting,
  { prepared }: ReturnType<typeof prepare>,
  latest: number
): Promise<PayoutAnswer> {
  // Since the claim somebody may have stopped payouts, or said what became of this one while the process stood still.
  if ((await module.payouts.stop()) !== null) return { kind: "not_made", why: "payouts_stopped" }
  if (module.clock.now().getTime() > latest) return { kind: "not_made", why: "too_slow" }
  try {
    return { kind: "answered", ...(await prepared.send()) }
  } catch (error) {
    return { kind: "failed", error: error instanceof PaymentServiceError ? error : null }
  }
}

/** An answer counts, however late. The database refuses an id that another payout has: that proves nothing, and this one counts as lost. */
async function recordAnswer({ module }: Acting, id: string, attempt: number, answer: PayoutAnswer) {
  const outcome = outcomeOf(answer, attempt === 1)
  await module.payouts.change(id, async (payout) => {
    const { state: before, card_last4, attempts } = payout.row
    const isUnderWay = before === "sending" || before === "unknown"
    // All requests have the same key, so any of them proves the payout, whatever a person said meanwhile.
    const isCreated = outcome.state === "created"
    if (isCreated ? before !== "created" : attempts === attempt && isUnderWay) {
      const known = { ...outcome, card_last4: card_last4 ?? outcome.card_last4 }
      await payout.update({ ...known, answered_at: payout.now, answer_by: null })
    }
    if (answer.kind === "not_made") {
      await payout.note("not_sent", { attempt, reason: answer.why }, null)
    } else {
      const late = before !== "sending" || attempts !== attempt
      const http_status = answer.kind === "answered" ? 200 : (answer.error?.httpStatus ?? null)
      const { state, reason_code: reason } = outcome
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

/** Records that a payout's outcome is unknown after its process died. A process that still lives can record its answer later. */
export async function recordLostPayouts({ module }: SettlePorts): Promise<void> {
  await module.payouts.changeAll(isLost(module.clock.now()), async (payout) => {
    const { state, answer_by: until, attempts: attempt } = payout.row
    if (state !== "sending" || until === null || until > payout.now) return
    const reason = { reason_code: "process_lost", reason_facts: {} }
    await payout.update({ state: "unknown", answer_by: null, ...reason })
    await payout.note("lost", { attempt }, null)
    await payout.publish()
  })
}

export async function reportUnknownPayouts({ module }: SettlePorts): Promise<void> {
  const { clock, payouts, problems } = module
  const since = new Date(clock.now().getTime() - PAYOUT_UNKNOWN_MS)
  await payouts.changeAll(isUnknownSince(since), async ({ row }) => {
    const { id, state, sent_at: sentAt, order_id, transaction_row_id, amount } = row
    if (state !== "unknown" || !sentAt) return
    const sum = inRubles(String(amount))
    const card = maskedCard(row.card_last4)
    const facts = { payout: id, sum, card, since: sentAt.toISOString() }
    const subject = { order_id, transaction_row_id, ...sum }
    await problems.report(problem("payout_unknown", facts), subject, sentAt)
  })
}

/** Records what an admin found at the service about an unknown payout after so many attempts; it is proof enough. */
export async function markPayout(
  acting: Acting,
  id: string,
  { sent, note: written, attempts }: { sent: boolean; note: string; attempts: number }
): Promise<void> {
  const { module, admin } = acting
  const note = withoutCardNumbers(written)
  const row = await module.payouts.change(id, async (payout) => {
    if (!isToBeDone("mark", payout.row, acting, sent)) return payout.row
    // A request after the admin's look may have gone through.
    if (attempts !== payout.row.attempts) throw new PayoutRefused("changed_since")
    await payout.update({
      state: sent ? "marked_sent" : "marked_not_sent",
      marked_by: admin.id,
      marked_by_name: admin.name,
      marked_at: payout.now,
      mark_note: note,
    })
    await payout.note("marked", { sent, note }, admin)
    if (sent) await payout.proveRefund()
    else await payout.followMoney()
    await payout.closeUnknown()
    return payout.row
  })
  if (row.transaction_row_id !== null) await bookMoneyBack(acting, row.transaction_row_id)
}
