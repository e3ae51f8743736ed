import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import { atLabelledPoint } from "../database/labelled-points"
import type { Accounts, PayoutRow } from "../modules/payment-service"
import type { SettlePorts } from "../payments/core"
import { reasonOf } from "../refusals/reason-of"
import { digestsOf } from "../values/digests"
import { readNumber, requireNoNumber, requireSameCard, requireSameNumber } from "./cards"
import { requireRevision } from "./draft-payout"
import {
  accountFor,
  isToBeDone,
  type PayoutAdmin,
  PayoutRefused,
  requireNamed,
} from "./may-pay-out"
import {
  findRefund,
  followPayout,
  type LockedRefund,
  namesOf,
  requireLeft,
  requireStillPaid,
  whilePayingBack,
} from "./refund"
import { recordAnswer, requestPayout } from "./request-payout"
import { brokenLimit, localDay, type PayoutFacts } from "./rules/payout"
import { cardFacts } from "./statements/payouts"
import { lookAtPayout } from "./unknown-payouts"

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

/** A payout that is about to be sent, as it was read before. */
interface Sending {
  accounts: Accounts
  seen: PayoutRow
  input: SendingInput
  ready: Awaited<ReturnType<typeof prepare>>
  admin: PayoutAdmin
}

/** Attempts to record the answer, before the payout is left to be found as lost. */
const RECORD_ATTEMPTS = 4
const FIRST_PAUSE_MS = 100

/**
 * Sends a payout, or sends it again. Before the request, the row records `sending` with key and digest. A conditional change lets
 * only one caller make the request; another one is told how the payout stands.
 */
export async function sendPayout(
  ports: SettlePorts,
  id: string,
  input: SendingInput,
  admin: PayoutAdmin
): Promise<void> {
  const { module } = ports
  const { again } = input
  const accounts = await requireNamed(ports, admin)
  const seen = await lookAtPayout(ports, id)
  if (!isToBeDone(actionOf(input), seen, accounts, admin)) return
  const ready = await prepare(ports, accounts, seen, input, admin)
  const { card_id, transaction_row_id: rowId } = seen
  if (card_id !== null) await requireSameCard(ports, accounts, { ...seen, card_id }, again, admin)

  // A repeated payout was counted at its first sending, and pays back the payment of that one, whatever is due now.
  const refund = again ? null : await findRefund(ports, seen)
  const before = again && rowId !== null ? await module.transactions.get(rowId) : refund?.row
  if (before) await requireStillPaid(ports, accounts, before, again)
  const claimed = await whilePayingBack(ports, refund, (locked) =>
    claim(ports, { accounts, seen, input, ready, admin }, locked)
  )
  if (claimed === null) return
  const { attempt, answerBy } = claimed
  await atLabelledPoint("payout:committed")
  const bar = await barOfRequest(ports, answerBy - ready.account.timeouts.payoutMs)
  if (bar !== null) {
    await takeBack(ports, seen, { attempt, reason: bar }, admin)
    throw new PayoutRefused(bar, again)
  }
  const answer = await requestPayout(ready.prepared)
  await atLabelledPoint("payout:answered")
  await withRetries(ports, id, () => recordAnswer(ports, id, attempt, answer))
  await atLabelledPoint("payout:recorded")
  await followPayout(ports, { id, transaction_row_id: before?.id ?? null })
  await ports.core.sendEvents().catch((error: unknown) => {
    module.logger.warn(`Payment Service: events wait to be sent: ${reasonOf(error)}`)
  })
}

const actionOf = ({ again }: SendingInput) => (again ? "send_again" : "send")

/**
 * A request that is ready to be made, with what is kept of it.
 *
 * @throws PayoutRefused when the given card or number does not fit this payout
 */
async function prepare(
  ports: SettlePorts,
  accounts: Accounts,
  row: PayoutRow,
  { card_number: typed, again }: SendingInput,
  admin: PayoutAdmin
) {
  const account = accountFor(accounts, row)
  const client = accounts.client(account)
  const { id, amount: amountRub, card_id: cardId, card_mac, idempotency_key: key } = row
  if (cardId !== null) {
    requireNoNumber(typed)
    const prepared = client.preparePayout({ cardId, amountRub }, key)
    const body_digest = createHash("sha256").update(prepared.body).digest("hex")
    requireSameBody(row, [body_digest], again)
    return { account, prepared, kept: { body_digest } }
  }
  const number = readNumber(typed, accounts, account, id)
  // The maker, the approver or the first sender has typed it, too.
  if (again || card_mac !== null) await requireSameNumber(ports, accounts, row, number, admin)
  const prepared = client.preparePayout({ cardNumber: number.digits, amountRub }, key)
  const digests = digestsOf(accounts.cardKeys(account), id, prepared.body)
  requireSameBody(row, digests, again)
  const [body_digest = null] = digests
  return { account, prepared, kept: { body_digest, ...number.kept } }
}

/** @throws PayoutRefused when a repeated request would differ from the first one in any byte */
function requireSameBody({ body_digest }: PayoutRow, digests: string[], again: boolean): void {
  if (again && !digests.some((digest) => digest === body_digest)) {
    throw new PayoutRefused("other_request")
  }
}

/**
 * Claims the sending for this request, in one transaction on the locked row.
 *
 * @returns the number of the attempt, and when the payout counts as lost; null when another caller has claimed it
 * @throws PayoutRefused when it is not allowed any more
 */
async function claim(
  { module }: SettlePorts,
  { accounts, seen, input, ready, admin }: Sending,
  refund: LockedRefund | null
) {
  return await module.payouts.changeAlone(seen.id, async (payout) => {
    const { row, now } = payout
    if ((await payout.stop()) !== null) throw new PayoutRefused("payouts_stopped", input.again)
    if (!isToBeDone(actionOf(input), row, accounts, admin)) return null
    requireRevision(row, input.revision)
    // The request was prepared for the revision that was read before.
    requireRevision(row, seen.revision)
    if (input.again && row.attempts !== seen.attempts) return null
    if (refund) await requireLeft(payout, refund)
    const today = localDay(now, accounts.store.payouts.timeZone)
    // A repeated payout was counted on the day of its last sending; on another day it may pay only now.
    if (row.limit_day !== today || !input.again) {
      const broken = brokenLimit(row.amount, await payout.usedOn(today), accounts.store.payouts)
      if (broken) throw new PayoutRefused(broken)
    }
    const attempt = row.attempts + 1
    const answerBy = now.getTime() + ready.account.timeouts.payoutMs + MARGIN_MS
    const sent = await payout.update({
      state: "sending",
      attempts: attempt,
      answer_by: new Date(answerBy),
      ...ready.kept,
      limit_day: today,
      ...(input.again ? {} : { sent_at: now, reason_code: null, reason_facts: null }),
      ...(refund && namesOf(refund)),
      sent_by: admin.id,
      sent_by_name: admin.name,
    })
    if (refund && !refund.isHeld && !(await payout.followMoney({ isClaim: true }))) {
      throw new PayoutRefused("being_completed")
    }
    const { amount, card } = cardFacts(sent)
    await payout.note("sending", { attempt, amount, card }, admin)
    return { attempt, answerBy }
  })
}

/**
 * Looks once more, right before the request: somebody may have stopped payouts since the claim, on any instance, and a process that
 * stood still sends nothing, because a person may have said by now what became of the payout.
 *
 * @param latest when the request must begin
 */
async function barOfRequest({ module }: SettlePorts, latest: number) {
  if ((await module.payouts.stop()) !== null) return "payouts_stopped"
  return module.clock.now().getTime() > latest ? "too_slow" : null
}

/** Makes a claimed payout what it was before, because no request was made, unless it counts as lost already. */
async function takeBack(
  { module }: SettlePorts,
  { id, card_mac, card_last4, limit_day, sent_by, sent_by_name }: PayoutRow,
  { attempt, reason }: PayoutFacts["not_sent"],
  admin: PayoutAdmin
): Promise<void> {
  await module.payouts.change(id, async (payout) => {
    const { row } = payout
    if (row.state !== "sending" || row.attempts !== attempt) return
    const isFirst = attempt === 1
    await payout.update({
      state: isFirst ? "draft" : "unknown",
      attempts: attempt - 1,
      answer_by: null,
      limit_day,
      sent_by,
      sent_by_name,
      ...(isFirst ? { sent_at: null, card_mac, card_last4 } : {}),
    })
    await payout.note("not_sent", { attempt, reason }, admin)
    await payout.followMoney()
  })
}

/** Repeats recording the service's answer, which must not be lost when the database is away for a moment. */
async function withRetries({ module }: SettlePorts, id: string, work: () => Promise<void>) {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === RECORD_ATTEMPTS) throw error
      module.logger.error(
        `Payment Service: the answer for payout ${id} could not be written down yet: ${reasonOf(error)}`
      )
      await sleep(FIRST_PAUSE_MS * 4 ** tries)
    }
  }
}
