import { atLabelledPoint } from "../database/labelled-points"
import type { Payment, Session } from "../medusa/reader"
import type {
  Accounts,
  PaymentServiceModuleService,
  TransactionRow,
} from "../modules/payment-service"
import { causeOfMissing, problem } from "../problems/rules/problems"
import { reasonsText } from "../problems/rules/reasons"
import { subjectOf } from "../problems/statements/problems"
import { asError } from "../refusals/reason-of"
import { refusedPayment } from "../refusals/refused"
import type { TransactionDetails } from "../service/client"
import { PaymentServiceError } from "../service/errors"
import { inKopecks, isSameButForDigits } from "../values/amount"
import { listHeldPayments, payableOrder } from "./load-medusa-state"
import type { Ports } from "./ports"
import { decide, type Decision } from "./rules/decide"
import {
  freshSince,
  isProvenSince,
  medusaMismatch,
  recordedRead,
  type SessionState,
  type TransactionRead,
} from "./rules/evidence"
import { LONGEST_LAG_MS } from "./rules/timing"
import {
  endAfter,
  endOfTimeToPay,
  isPaidAndKept,
  isPaidAndNotHandled,
  isProven,
  meaningOf,
  type Merchant,
  merchantAccountOf,
  paidSum,
  type StatusNames,
} from "./rules/transaction"

type Read = TransactionRead &
  Pick<
    TransactionDetails,
    "qr" | "amountUsdt" | "commission" | "commissionUsdt" | "expiresInSeconds"
  >

export interface ReadOutcome {
  row: TransactionRow
  read: Read
  decision: Decision
}

/** A read is repeated when the row changed during it. That is rare; a third repetition means a fault. */
const MOST_TRIES = 3

/**
 * Reads a transaction at the service, decides what the read alone means and records both on our row. It needs no lease: when the row
 * changed in the meantime, the service is read again, so a slow read can never undo a later one's proof.
 *
 * @throws PaymentServiceError when it cannot be read; the row then stays unchanged
 */
export async function readTransaction(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  row: TransactionRow,
  { timeoutMs }: { timeoutMs?: number } = {}
): Promise<ReadOutcome> {
  if (!row.transaction_id) throw refusedPayment("never_opened")
  const account = accounts.getForRow(row)
  const { statuses } = account
  let current = row
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const askedAt = module.clock.now()
    const read: Read = await accounts
      .client(account)
      .getTransaction(row.transaction_id, timeoutMs === undefined ? {} : { timeoutMs })
      .catch(async (error: unknown) => {
        await reportRefusedCredentials(module, merchantAccountOf(current), error)
        const isUnknown = error instanceof PaymentServiceError && error.kind === "not_found"
        if (isUnknown)
          await reportUnconfirmed(module, current, { isConfirmed: false, status: null })
        if (isUnknown && isForgotten(current, askedAt)) return lastAnswer(current, statuses)
        throw error
      })
    const now = module.clock.now()
    if (meaningOf(read.status, statuses) === "pending") {
      const answer = { askedAt, secondsLeft: read.expiresInSeconds }
      current = { ...current, expires_at: endAfter(current, answer) }
    }
    const decision = decide({ row: current, read, medusa: null, statuses, now })
    await atLabelledPoint("read:answered")
    const recorded = await module.transactions.recordRead(current, { ...read, askedAt }, decision)
    if (recorded) {
      await atLabelledPoint("read:recorded")
      reportChange(module, current, decision, read.status)
      if (current.state === "paid") {
        const lag = now.getTime() - (current.paid_at?.getTime() ?? 0)
        const isConfirmed = meaningOf(read.status, statuses) !== "pending" || lag < LONGEST_LAG_MS
        await reportUnconfirmed(module, recorded, { isConfirmed, status: read.status })
      }
      return { row: recorded, read, decision }
    }
    current = await module.transactions.get(row.id)
  }
  throw refusedPayment("busy")
}

/** Somebody waits for such a look: an admin, or a shopper at the checkout. */
export const LOOK_MS = 2_000

/** The row after a short look at the service, or as it was when that does not answer: a silent service holds nobody up. */
export async function lookAt(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  row: TransactionRow,
  timeoutMs = LOOK_MS
): Promise<TransactionRow> {
  const look = await readTransaction(module, accounts, row, { timeoutMs }).catch(() => null)
  return look?.row ?? row
}

/**
 * Whether the service may have forgotten the transaction: services do so with what nobody has paid. Its last answer counts then, and
 * it is over. An hour later it is not a mere lag.
 */
function isForgotten(row: TransactionRow, now: Date): boolean {
  return row.paid_at === null && Number(now) >= Number(endOfTimeToPay(row)) + LONGEST_LAG_MS
}

/** One that was never read was pending when it was opened. */
const lastAnswer = (row: TransactionRow, { pending }: StatusNames): Read => ({
  ...recordedRead(row),
  ...(row.read_at === null && { status: pending[0] ?? "" }),
  qr: null,
  amountUsdt: null,
  commission: null,
  commissionUsdt: null,
  expiresInSeconds: null,
})

/** Logs a new state, or an exception with its differences, once per change and not at every poll. */
function reportChange(
  module: PaymentServiceModuleService,
  before: TransactionRow,
  decision: Decision,
  status: string
): void {
  const subject = `Payment Service: transaction ${before.transaction_id ?? ""} (${before.id})`
  if (decision.exception && (decision.exception !== before.exception || status !== before.status)) {
    const { en } = reasonsText(decision.differences)
    module.logger.error(`${subject} needs a look, ${decision.exception}: ${en}`)
  } else if (decision.state !== before.state) {
    module.logger.info(`${subject} is ${decision.state}`)
  }
}

/**
 * Tells of a payment that an earlier read has proved and that the service calls pending, or does not know (null), by now; until it
 * says something else. One that it has taken back is the row's exception.
 */
async function reportUnconfirmed(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  { isConfirmed, status }: { isConfirmed: boolean; status: string | null }
): Promise<void> {
  if (isConfirmed || !isPaidAndKept(row) || !isPaidAndNotHandled(row)) {
    await module.problems.close([causeOfMissing(row.id)])
  } else {
    const { id, transaction_id: transaction } = row
    const facts = { row: id, transaction, seen: inKopecks(paidSum(row)), status }
    await module.problems.report(
      problem("payment_not_there", { found: "unconfirmed", ...facts }),
      subjectOf(row)
    )
  }
}

const refusedAt = ({ merchantId, baseUrl }: Merchant) =>
  problem("credentials_refused", { merchantId, baseUrl })

/** Opens a problem when the service refused the credentials, because a person must correct them. */
export async function reportRefusedCredentials(
  module: PaymentServiceModuleService,
  merchant: Merchant,
  error: unknown
): Promise<void> {
  if (error instanceof PaymentServiceError && error.kind === "unauthorized") {
    await module.problems.report(refusedAt(merchant)).catch(() => undefined)
  }
}

/** Closes the problem of refused credentials after the service has accepted them. */
export async function closeRefusedCredentials(
  module: PaymentServiceModuleService,
  merchant: Merchant
): Promise<void> {
  await module.problems.close([refusedAt(merchant).cause])
}

const SAID = ["invalid", "not_found", "unauthorized", "rate_limited"] as const

/**
 * Turns an error of the service into one for Medusa's callers, with a sentence that tells a shopper what to do. It uses only
 * error types whose text core passes on; the details are in the log.
 *
 * @param isCreation whether a transaction was to be created: a 404 then says nothing about a payment, because there is none
 */
export function toMedusaError(error: unknown, isCreation = false): Error {
  if (!(error instanceof PaymentServiceError)) return asError(error)
  const kind = isCreation && error.kind === "not_found" ? "invalid" : error.kind
  return refusedPayment(SAID.find((one) => one === kind) ?? "no_answer")
}

type Judged = Pick<ReadOutcome, "row" | "decision">

/**
 * Reads the service and judges the answer against the session of the data.
 *
 * @throws MedusaError with a sentence for the shopper when the service cannot be read
 */
export async function readSession(ports: Ports, data: Data): Promise<ReadOutcome> {
  const { module } = ports
  const known = await requireRow(ports, data)
  const { row, read } = await readTransaction(module, await module.accounts(), known).catch(
    (error: unknown) => {
      throw toMedusaError(error)
    }
  )
  return { read, ...(await judgeRow(ports, row, data)) }
}

/**
 * Answers core's question, while it makes an order, whether a session is paid. Only a full proof of payment gives `captured`. An
 * order may be placed before its payment only when both have the same sum.
 *
 * @throws MedusaError `NOT_ALLOWED` when the cart has changed or another session has taken the payment; or as `readSession` does
 */
export async function authorizeSession(ports: Ports, data: Data) {
  const { module } = ports
  const { row, decision } = await judgeSession(ports, data)
  const { sessionStatus: status } = decision
  await atLabelledPoint("authorize:judged")
  if (decision.isOutdated) throw refusedPayment("cart_changed")
  const isOther = ({ sessionId }: Payment) => sessionId !== textOf(data, "session_id")
  if (status === "captured" && (await listHeldPayments(ports, row)).some(isOther)) {
    throw refusedPayment("taken_already")
  }
  if (status === "pending_authorization") await module.transactions.markDeferred(row.id)
  const isPromised = status === "captured" || status === "pending_authorization"
  if (isPromised && row.cart_id) await module.completionMarks.note(row.cart_id, { isAsked: true })
  return { row, status }
}

/**
 * Like `readSession`, but an answer of the last seconds is judged from its row, without a read: `/complete` has just asked for one,
 * and money that comes meanwhile is settled by itself.
 */
async function judgeSession(ports: Ports, data: Data): Promise<Judged> {
  let row = await requireRow(ports, data)
  const since = freshSince(ports.module.clock.now())
  if (!isProvenSince(row, since)) {
    const isFresh = row.read_at !== null && row.read_at >= since
    const judged = isFresh ? await judgeRow(ports, row, data) : await readSession(ports, data)
    if (judged.decision.sessionStatus !== "captured") return judged
    row = judged.row
  }
  return await judgeRow(ports, row, data, { isBeingOrdered: true })
}

/**
 * Judges the last answer of the service, as the row has it, against the session of the data.
 *
 * @param isBeingOrdered whether core may be making the order of the cart
 */
export async function judgeRow(
  ports: Ports,
  row: TransactionRow,
  data: Data,
  ordering: { isBeingOrdered?: boolean } = {}
): Promise<Judged> {
  const { module } = ports
  const medusa = await loadSessionState(ports, row, data, ordering)
  const { statuses, orderPlacement: placement } = (await module.accounts()).getForRow(row)
  const now = module.clock.now()
  const read = recordedRead(row)
  return { row, decision: decide({ row, read, medusa, statuses, now, placement }) }
}

/**
 * Judges the row of a session that core authorized in an earlier completion that failed later: core now takes its payment without
 * asking for it again.
 *
 * @throws MedusaError `NOT_ALLOWED` when the cart has changed since, or the money went back or has to be looked at
 */
export async function requireUnchanged(ports: Ports, data: Data): Promise<void> {
  const row = await requireRow(ports, data)
  if (row.settled_at) return
  if (row.handled_at || (row.state === "paid" && !isProven(row))) throw refusedPayment("needs_look")
  if (medusaMismatch(row, await loadSessionState(ports, row, data))) {
    throw refusedPayment("cart_changed")
  }
}

/** The session with its cart or order; null when core has deleted the session. */
async function loadSessionState(
  ports: Ports,
  row: TransactionRow,
  data: Data,
  { isBeingOrdered = false } = {}
): Promise<SessionState | null> {
  const session = await ports.medusa.findSession(textOf(data, "session_id") ?? row.session_id)
  if (!session) return null
  const { collectionId } = session
  if (collectionId !== row.payment_collection_id) throw refusedPayment("other_cart")
  // Only a row with an order is judged against it, because edits change the order and no longer its cart. A link from collection
  // to order proves nothing: core makes it before it authorizes the cart's session.
  const order = row.order_id === null ? null : await ports.medusa.findOrderMoney(collectionId)
  if (!order || order.id !== row.order_id) {
    const cart = isBeingOrdered
      ? await cartBeingOrdered(ports, row, session)
      : await ports.medusa.findCart(collectionId)
    return { session, cart, order: null }
  }
  // Once the session has a payment, `owed` no longer includes it, so that there is nothing to compare.
  return { session, cart: null, order: session.payment ? null : payableOrder(order) }
}

/**
 * The cart of a payment while core makes its order. It is judged again even if a settle has judged it and holds its lock, because
 * some changes of a cart ignore the lock, and core's own locks of a cart end after ten seconds. Its sum is that of the new order,
 * because the payment is for the order, whatever the cart is worth by now.
 */
async function cartBeingOrdered({ medusa }: Ports, row: TransactionRow, session: Session) {
  const sum = row.cart_id && (await medusa.findSumOfNewOrder(session.collectionId))
  const ordered = row.cart_id &&
    sum && { id: row.cart_id, total: sum.amount, currency: sum.currency }
  if (ordered && !medusaMismatch(row, { session, cart: ordered })) return ordered
  const cart = await medusa.findCart(session.collectionId)
  // An order that was placed before its payment may have been edited since.
  if (!ordered || row.deferred_at !== null) return cart
  return cart && isSameButForDigits(cart.total, ordered.total) ? cart : ordered
}

/** Data of a session or payment, stored by Medusa or given to it by a caller. */
export type Data = Record<string, unknown> | undefined

/** The text of a key in such data; null when it is missing, empty or no text. */
export function textOf(data: Data, key: string): string | null {
  const value = data?.[key]
  return typeof value === "string" && value ? value : null
}

/** The row of a session's or payment's data; null when the service was never called for it. */
export async function findRow(ports: Ports, data: Data): Promise<TransactionRow | null> {
  const { module } = ports
  const transactionId = textOf(data, "transaction_id")
  const row = transactionId ? await module.findByTransactionId(transactionId) : null
  const sessionId = textOf(data, "session_id")
  return row ?? (sessionId ? await module.findBySession(sessionId) : null)
}

/** @throws MedusaError `NOT_FOUND` when no row belongs to the data */
export async function requireRow(ports: Ports, data: Data): Promise<TransactionRow> {
  const row = await findRow(ports, data)
  if (!row) throw refusedPayment("unknown_payment")
  return row
}

/** @throws MedusaError `INVALID_DATA` when the data names no session */
export function requireSessionId(data: Data): string {
  const sessionId = textOf(data, "session_id")
  if (!sessionId) throw refusedPayment("no_session")
  return sessionId
}
