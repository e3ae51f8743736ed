import { atLabelledPoint } from "../database/labelled-points"
import { namesTransaction, type Payment, type Session } from "../medusa/reader"
import type { TransactionRow } from "../modules/payment-service"
import { refusedPayment } from "../refusals/refused"
import type { Sum } from "../texts"
import { compareSums, isSameButForDigits } from "../values/amount"
import { lookAt, type Ports, readTransaction, toMedusaError } from "./read-transaction"
import {
  decide,
  isProvenSince,
  medusaMismatch,
  recordedRead,
  type SessionState,
} from "./rules/decide"
import { freshSince } from "./rules/timing"
import { isProven } from "./rules/transaction"

/** Reads the service and judges the answer against the data's session. An error has a sentence for the shopper. */
export async function readSession(ports: Ports, data: Data) {
  const { module } = ports
  const known = await requireRow(ports, data)
  const reading = readTransaction(module, await module.accounts(), known)
  const { row, read } = await reading.catch((error: unknown) => {
    throw toMedusaError(error)
  })
  return { read, ...(await judgeRow(ports, row, data)) }
}

/**
 * Tells core, which is making an order, whether a session is paid: `captured` needs a full proof, a promise of payment the same sum.
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

/** Like `readSession`, but an answer of the last seconds is judged from its row: `/complete` has just asked for one. */
async function judgeSession(ports: Ports, data: Data) {
  let row = await requireRow(ports, data)
  const since = freshSince(ports.module.clock.now())
  if (!isProvenSince(row, since)) {
    const isFresh = row.read_at !== null && row.read_at >= since
    const judged = isFresh ? await judgeRow(ports, row, data) : await readSession(ports, data)
    if (judged.decision.sessionStatus !== "captured") return judged
    row = judged.row
  }
  return await judgeRow(ports, row, data, true)
}

/** Judges the service's last answer, as the row has it, against the data's session. With `isBeingOrdered`, core may make its order. */
export async function judgeRow(
  ports: Ports,
  row: TransactionRow,
  data: Data,
  isBeingOrdered = false
) {
  const { module } = ports
  const medusa = await loadSessionState(ports, row, data, isBeingOrdered)
  const { statuses, orderPlacement: placement } = (await module.accounts()).getForRow(row)
  const now = module.clock.now()
  const read = recordedRead(row)
  return { row, decision: decide({ row, read, medusa, statuses, now, placement }) }
}

/**
 * Judges the row of a session that core authorized in an earlier completion, which failed later: core does not ask for it again.
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
  isBeingOrdered = false
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
  return { session, cart: null, order: session.payment ? null : { ...order, unpaid: null } }
}

/**
 * The cart of a payment while core makes its order. It is judged again even if a settle holds its lock, because some changes of a cart
 * ignore locks, and core's own end after ten seconds. The new order's sum counts, whatever the cart is worth by now.
 */
async function cartBeingOrdered({ medusa }: Ports, row: TransactionRow, session: Session) {
  const { cart_id: id } = row
  const sum = id && (await medusa.findSumOfNewOrder(session.collectionId))
  const ordered = id && sum && { id, total: sum.amount, currency: sum.currency }
  if (ordered && !medusaMismatch(row, { session, cart: ordered })) return ordered
  const cart = await medusa.findCart(session.collectionId)
  // An order that was placed before its payment may have been edited since.
  if (!ordered || row.deferred_at !== null) return cart
  return cart && isSameButForDigits(cart.total, ordered.total) ? cart : ordered
}

/** Medusa's payments of it that are not canceled; no sessions are read, because another tab can delete one that becomes a payment. */
async function listHeldPayments({ medusa }: Ports, row: TransactionRow): Promise<Payment[]> {
  const payments = await medusa.listPayments({ payment_collection_id: row.payment_collection_id })
  return payments.filter((payment) => namesTransaction(payment, row) && !payment.isCanceled)
}

/** Refuses (`NOT_ALLOWED`) to give a session another sum, which needs a session and a transaction of its own. */
export async function requireSameSum(ports: Ports, data: Data, sum: Sum): Promise<void> {
  const sessionId = textOf(data, "session_id")
  const session = sessionId && (await ports.medusa.findSession(sessionId))
  if (!session) return
  const { amount, currency } = session
  if (compareSums(amount, sum.amount) !== 0 || currency !== sum.currency.toLowerCase()) {
    throw refusedPayment("cart_changed")
  }
}

/** Refuses (`NOT_ALLOWED`) to delete a paid session. Any other may go, also one that cannot be read now, so that carts can be edited. */
export async function releaseSession(ports: Ports, data: Data): Promise<void> {
  const row = await findRow(ports, data)
  if (!row || row.handled_at) return
  const sessionId = textOf(data, "session_id") ?? row.session_id
  const held = await listHeldPayments(ports, row)
  // Two tabs may have sessions of one transaction; the one through which Medusa took the money must stay.
  const hasMoney = held.length
    ? held.some((payment) => payment.sessionId === sessionId)
    : sessionId === row.session_id && (await holdsMoney(ports, row))
  if (hasMoney) throw refusedPayment("being_confirmed")
}

/** Refuses (`NOT_ALLOWED`) to cancel a paid payment, also in core's compensation, because a canceled one can never be captured. */
export async function requireCancelable(ports: Ports, data: Data): Promise<void> {
  const row = await findRow(ports, data)
  if (row && (await holdsMoney(ports, row))) throw refusedPayment("not_cancelable")
}

/** Whether the row, or a read now, shows it paid, and no person has taken care of it. */
async function holdsMoney({ module }: Ports, row: TransactionRow): Promise<boolean> {
  if (row.handled_at || !row.transaction_id) return false
  return Boolean(row.paid_at ?? (await lookAt(module, await module.accounts(), row)).paid_at)
}

/**
 * Binds the row of a paid transaction to the session that was made for it: its own is gone, or a person accepted another sum.
 *
 * @throws MedusaError `NOT_ALLOWED` unless exactly this amount was paid for the cart, or accepted
 */
export async function adoptTransaction(
  { module, medusa }: Ports,
  { rowId, sessionId, ...sum }: Sum & { rowId: string; sessionId: string }
): Promise<TransactionRow> {
  const row = await module.transactions.get(rowId)
  const currency = sum.currency.toUpperCase()
  const isOfSum = compareSums(sum.amount, (row.accepted ?? row).amount) === 0
  if (row.state !== "paid" || !isOfSum || row.currency !== currency) {
    throw refusedPayment("not_of_sum", { row: rowId, sum: { amount: sum.amount, currency } })
  }
  const { collectionId, cartId, orderId } = await medusa.findSessionSubject(sessionId)
  return await module.transactions.change(rowId, {
    session_id: sessionId,
    payment_collection_id: collectionId,
    cart_id: cartId,
    order_id: orderId,
  })
}

/** Data of a session or payment, stored by Medusa or given to it by a caller. */
export type Data = Record<string, unknown> | undefined

/** Null when it is missing, empty or no text. */
export function textOf(data: Data, key: string): string | null {
  const value = data?.[key]
  return typeof value === "string" && value ? value : null
}

/** The row of a session's or payment's data; null when the service was never called for it. */
export async function findRow({ module }: Ports, data: Data): Promise<TransactionRow | null> {
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
