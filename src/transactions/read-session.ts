import type { Session } from "../medusa/sessions"
import type { Accounts, TransactionRow } from "../modules/payment-service"
import { refusedPayment } from "../modules/payment-service/refused-deed"
import { decide } from "../settlement/decide"
import { freshSince, isProvenSince, recordedRead, type SessionState } from "../settlement/evidence"
import { medusaMismatch } from "../settlement/mismatch"
import { isSameButForDigits } from "../settlement/amount"
import { isProven } from "../settlement/standing"
import { type Data, requireRow, textOf } from "./find-row"
import { payableOrder } from "./load-medusa-state"
import type { Ports } from "./ports"
import { readTransaction, type ReadOutcome } from "./read-transaction"
import { toMedusaError } from "./service-errors"

/**
 * Reads the service and judges the answer against the session of the data.
 *
 * @throws MedusaError with a sentence for the shopper when the service cannot be read
 */
export async function readSession(ports: Ports, data: Data, accounts?: Accounts) {
  const known = accounts ?? (await ports.module.accounts())
  const row = await requireRow(ports, data)
  const medusa = await loadSessionState(ports, row, data)
  return await readWith(ports, known, row, medusa)
}

/**
 * Like `readSession`, but an answer of the last seconds is judged from its row, without a read: `/complete` has just asked for one,
 * and money that comes meanwhile is settled by itself.
 */
export async function judgeSession(
  ports: Ports,
  data: Data
): Promise<Pick<ReadOutcome, "row" | "decision">> {
  const { module } = ports
  const accounts = await module.accounts()
  let row = await requireRow(ports, data)
  const since = freshSince(module.clock.now())
  if (!isProvenSince(row, since)) {
    const isFresh = row.read_at !== null && row.read_at >= since
    const judged = isFresh
      ? await judgeRow(ports, row, data)
      : await readWith(ports, accounts, row, await loadSessionState(ports, row, data))
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
): Promise<Pick<ReadOutcome, "row" | "decision">> {
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

async function readWith(
  ports: Ports,
  accounts: Accounts,
  row: TransactionRow,
  medusa: SessionState | null
): Promise<ReadOutcome> {
  const { module } = ports
  try {
    return await readTransaction(module, accounts, row, { medusa })
  } catch (error) {
    throw toMedusaError(error)
  }
}

/**
 * The session with its cart or order; null when core has deleted the session.
 *
 * @param isBeingOrdered whether core may be making the order of the cart
 */
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
