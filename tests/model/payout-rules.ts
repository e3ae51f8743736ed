import type { PayoutRow } from "../../src/modules/payment-service"
import { DEFAULT_TIMEOUTS } from "../../src/service/client"
import type { PayoutState } from "../../src/settlement/payouts/payout"
import type { PayoutEntry } from "./payout-books"
import { thousandths } from "./money"
import { Violation } from "./processes"
import { STATUSES } from "./remote-service"
import type { Payment } from "./shop"
import type { World } from "./world"

/** Every change of a payout's state that may happen. */
const NEXT: Record<PayoutState, PayoutState[]> = {
  draft: ["awaiting_approval", "sending", "discarded"],
  awaiting_approval: ["draft", "discarded"],
  // A request that was not made after all leaves the draft.
  sending: ["created", "rejected", "unknown", "draft"],
  unknown: ["sending", "created", "rejected", "draft", "marked_sent", "marked_not_sent"],
  created: [],
  rejected: [],
  // The answer to a request came late, and proves more than a person's word.
  marked_sent: ["created"],
  marked_not_sent: ["created"],
  discarded: [],
}

export function checkPayoutChange(before: PayoutRow, after: PayoutRow): void {
  const { id, state } = after
  const broken: string[] = []
  if (before.state !== state && !NEXT[before.state].includes(state)) {
    broken.push(`state ${before.state} became ${state}`)
  }
  if (before.idempotency_key !== after.idempotency_key) broken.push("it has another key")
  const isSent = before.attempts > 0 && after.attempts > 0
  if (isSent && (before.amount !== after.amount || before.card_id !== after.card_id)) {
    broken.push("it was changed after it was sent")
  }
  if (broken.length) throw new Violation(`${id}: ${broken.join(", ")}`)
}

/** A request is about to be made. Whatever is wrong with it ends the story. */
export function checkRequest(world: World, key: string, body: Buffer): void {
  const { processes, payouts } = world
  const broken = wrongWith(world, key, body)
  if (broken) processes.fail(new Violation(`a payout with the ${key}: ${broken}`))
  const [row] = payouts.list(({ idempotency_key }) => idempotency_key === key)
  payouts.underWay.push({ key, process: processes.currentId, answerBy: row?.answer_by ?? null })
}

function wrongWith(world: World, key: string, body: Buffer): string | null {
  const { payouts, payoutRules, remotePayouts, processes, books } = world
  const [row] = payouts.list(({ idempotency_key }) => idempotency_key === key)
  if (!row) return "it is sent, and nobody has written it down"
  if (row.state !== "sending") return `it is sent, and is ${row.state}`
  if (Number(row.answer_by) < books.now().getTime() + DEFAULT_TIMEOUTS.payoutMs) {
    return "it may be taken for lost before its answer has come"
  }
  const { amountRub } = JSON.parse(body.toString()) as { amountRub: number }
  if (amountRub !== row.amount) return `${amountRub} are sent, and ${row.amount} are written down`
  const others = payouts.underWay.filter(
    (other) =>
      other.key === key &&
      processes.isAlive(other.process) &&
      (other.answerBy === null || other.answerBy > books.now())
  )
  if (others.length) return "it is sent twice at once"
  const known = remotePayouts.ledger.get(key)
  if (known && known.body !== body.toString()) return "the same key is sent with another body"
  if (isTakenBack(world, row)) {
    return "it pays back what the service has taken back itself, and nobody has asked that"
  }
  if (payoutRules?.approval && !isApproved(row, payouts.entriesOf(row.id))) {
    return "it is sent, and no second admin has approved it as it is"
  }
  return null
}

/**
 * The service has taken back itself what a payout pays back. It may do so at any moment; but since the admin has begun to
 * send it, it must have been asked, and have said that it is paid.
 */
function isTakenBack({ books, service, processes }: World, { transaction_row_id }: PayoutRow) {
  if (transaction_row_id === null) return false
  const id = books.retrieve(transaction_row_id).transaction_id ?? ""
  const isPaid = STATUSES.paid.includes(service.truth(id).status)
  return !isPaid && (service.saidPaidAt.get(id) ?? 0) <= processes.currentSince
}

/** Since its last change, somebody has approved it who neither made nor changed it. */
function isApproved({ made_by }: PayoutRow, entries: PayoutEntry[]): boolean {
  const edits = entries.filter(({ kind }) => kind === "edited")
  const editors = [made_by, ...edits.map(({ by }) => by)]
  const since = edits.at(-1)?.moment ?? 0
  return entries.some(
    ({ kind, by, moment }) => kind === "approved" && moment > since && !editors.includes(by)
  )
}

/** Must hold at any time: no more money leaves than the limits and the money that came in allow. */
export function checkPayouts(world: World): void {
  const { payouts, payoutRules } = world
  if (!payoutRules) return
  const mayHaveGone = payouts.list(mayHaveLeft)
  for (const day of new Set(mayHaveGone.map(({ limit_day }) => limit_day))) {
    const sum = sumOf(mayHaveGone.filter(({ limit_day }) => limit_day === day))
    if (sum > payoutRules.perDay) {
      throw new Violation(`${sum} were sent on ${day}, and ${payoutRules.perDay} are allowed`)
    }
  }
  for (const row of payouts.list(({ marked_by }) => marked_by !== null)) {
    if (payoutRules.approval && !isMarkedByTwo(row)) {
      throw new Violation(`${row.id}: one admin has said alone what came of it`)
    }
  }
  for (const rowId of new Set(mayHaveGone.flatMap((row) => row.transaction_row_id ?? []))) {
    checkPaidBack(world, rowId)
  }
}

/** An admin who had no part in it, or two of whom one had proposed it. */
function isMarkedByTwo({ marked_by, made_by, sent_by, edited_by, proposed_by }: PayoutRow) {
  const parts = [made_by, sent_by, ...(edited_by?.split(" ") ?? [])]
  return !parts.includes(marked_by) || (proposed_by !== null && proposed_by !== marked_by)
}

/**
 * No more of a transaction's money went back, by payouts and outside, than was ever paid. What the service takes back
 * itself is not a part of this: `isTakenBack` looks at that when a payout is sent.
 */
function checkPaidBack({ books, payouts, service }: World, rowId: string): void {
  const { transaction_id } = books.retrieve(rowId)
  const paid = (service.transactions.get(transaction_id ?? "")?.history ?? [])
    .filter(({ status }) => STATUSES.paid.includes(status))
    .map((read) => thousandths(read.amount))
  const most = Math.max(0, ...paid)
  const byPayouts = sumOf(
    payouts.list((row) => row.transaction_row_id === rowId && mayHaveLeft(row))
  )
  const outside = books.proofs
    .filter(({ transaction_row_id, kind }) => transaction_row_id === rowId && kind === "outside")
    .reduce((sum, proof) => sum + thousandths(proof.amount), 0)
  const back = byPayouts * 1_000 + outside
  if (back > most) {
    throw new Violation(`${rowId}: ${most} thousandths were paid, and ${back} went back`)
  }
}

/** Its money has gone, or may have; a person's word that it has not is believed. */
function mayHaveLeft({ state }: PayoutRow): boolean {
  return ["sending", "unknown", "created", "marked_sent"].includes(state)
}

/** When all has come to rest, the dashboard shows one payout for each that the service has made. */
export function checkPayoutsAtRest({ payouts, remotePayouts }: World): void {
  for (const { key, withdrawalRecordId } of remotePayouts.ledger.values()) {
    const [row] = payouts.list(({ idempotency_key }) => idempotency_key === key)
    const isKnown =
      row?.withdrawal_record_id === withdrawalRecordId ||
      ["unknown", "marked_sent", "marked_not_sent"].includes(row?.state ?? "")
    if (!isKnown) throw new Violation(`${key}: it was made, and is ${row?.state ?? "nowhere"}`)
  }
  for (const { id, state, idempotency_key } of payouts.list()) {
    if (state === "sending") throw new Violation(`${id}: nobody sends it any more`)
    if (state === "created" && !remotePayouts.ledger.has(idempotency_key)) {
      throw new Violation(`${id}: it is said to be created, and the service knows nothing of it`)
    }
  }
}

/** Medusa takes no money for an order that is being paid back because no order took it. */
export function checkNotPaidOut({ books, payouts }: World, { rowId }: Payment): void {
  const left = payouts.list(
    (row) =>
      row.transaction_row_id === rowId &&
      mayHaveLeft(row) &&
      // One that no problem has asked for pays back what Medusa has captured already.
      row.problem_id !== null &&
      books.problem(row.problem_id).kind !== "refund_due"
  )
  if (left[0]) throw new Violation(`${rowId ?? ""}: captured, and ${left[0].id} pays it back`)
}

const sumOf = (rows: PayoutRow[]) => rows.reduce((sum, { amount }) => sum + amount, 0)
