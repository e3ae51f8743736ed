import { PaymentSessionStatus } from "@medusajs/framework/utils"

import type { Payment, PaymentParts } from "../../medusa/payments"
import type { Session } from "../../medusa/sessions"
import type { TransactionRow } from "../../modules/payment-service"
import { atLabelledPoint } from "../../modules/payment-service/labelled-points"
import { reasonOf, refusalOf } from "../../modules/payment-service/reason-of"
import { refusedPayment } from "../../modules/payment-service/refused-deed"
import type { Action } from "../../settlement/decide"
import { compareSums, isOwed, isSameButForDigits } from "../../settlement/amount"
import type { Refusal } from "../../settlement/problems/refusals"
import { followOrders } from "../../transactions/follow-order"
import { isOpenSession } from "../../settlement/evidence"
import { providerIdOf } from "../../settlement/transaction"
import { takeBackUnprovenRefunds } from "../refunds/unproven-refunds"
import type { SettlePorts } from "../ports"
import { reportUnpaidOrder } from "../orders/unpaid-orders"

/**
 * The result of an action. `again`: Medusa's state must be loaded and judged once more. `failed`: `refusal` says why.
 */
type Applied =
  | { outcome: "done"; orderId?: string; captured?: boolean }
  | { outcome: "again" }
  | { outcome: "failed"; refusal: Refusal }

const DONE: Applied = { outcome: "done" }

type CapturedPayment = Payment & Pick<PaymentParts, "captures">

/**
 * The one place that brings a payment to Medusa's carts, orders and sessions. Each action runs core's own workflows, and may run
 * again after a crash without doing anything twice. It decides nothing: the caller holds the lock, and `decide` has judged
 * Medusa's state under it.
 *
 * @param sessions all sessions of the row's collection, as they were judged
 */
export async function applyAction(
  ports: SettlePorts,
  row: TransactionRow,
  action: Action,
  sessions: Session[]
): Promise<Applied> {
  switch (action.do) {
    case "nothing":
      return DONE
    case "place_order":
      return await placeOrder(ports, row, action, sessions)
    case "adopt": {
      const { amount, currency } = action
      const adopting = { providerId: providerIdOf(row), amount, currency, adopt: row.id }
      await ports.core.createSession(row.payment_collection_id, adopting)
      return { outcome: "again" }
    }
    case "authorize":
      return await authorize(ports, row, action, sessions)
    case "capture":
      return await capturePayment(ports, row, action)
    case "cancel_session":
      await closeSession(ports, action.sessionId)
      return DONE
    case "cancel_order":
      await ports.core.cancelOrder(action.orderId)
      return DONE
    case "report_order":
      await reportUnpaidOrder(ports.module, row, action.orderId, { owed: action.owed })
      return DONE
  }
}

async function placeOrder(
  ports: SettlePorts,
  row: TransactionRow,
  { cartId, cartTotal, sessionId, reopenSession }: Extract<Action, { do: "place_order" }>,
  sessions: Session[]
): Promise<Applied> {
  const { core } = ports
  if (reopenSession) {
    await core.setSessionStatus(sessionId, PaymentSessionStatus.PENDING)
  }
  const session = sessionOf(sessions, sessionId)
  // Our provider refuses a cart edit once the session is paid, but core may already have written the edit's total to the
  // collection, and does not undo that. The order will ask for the cart's total.
  await setCollectionSum(ports, session, cartTotal)
  await dropOtherSessions(ports, sessions, sessionId)
  const orderId = await core.completeCart(row.id, cartId)
  await atLabelledPoint("apply:order placed")
  const payment = await paymentOf(ports, row, sessionId)
  if (!payment) {
    // If the cart has an order already, core returns that one, which another session may have paid.
    await linkToCollection(ports, row, orderId)
    return { outcome: "again" }
  }
  const isEven = isSameButForDigits(cartTotal, payment.amount)
  return await capture(ports, row, payment, { orderId, isEven, isNew: true })
}

/** Core links an order to its cart and its collection in parallel; if it dies in between, one link may be missing. */
async function linkToCollection(
  { medusa, core }: SettlePorts,
  { payment_collection_id }: TransactionRow,
  orderId: string
): Promise<void> {
  if (!(await medusa.findOrderId(payment_collection_id))) {
    await core.linkOrder(orderId, payment_collection_id)
  }
}

/** Authorizes and captures a session of an order, or of a collection without an order (payment link). */
async function authorize(
  ports: SettlePorts,
  row: TransactionRow,
  { sessionId, orderId, isEven, reopenSession }: Extract<Action, { do: "authorize" }>,
  sessions: Session[]
): Promise<Applied> {
  const { module, core } = ports
  if (orderId && !(await module.transactions.isOrderKnown(row.payment_collection_id))) {
    // `order.placed` is emitted first, because after the booking nothing shows that the event is missing.
    await core.emitOrderPlaced(orderId, row.payment_collection_id)
  }
  if (reopenSession) {
    await core.setSessionStatus(sessionId, PaymentSessionStatus.PENDING)
  }
  const session = sessionOf(sessions, sessionId)
  if (orderId && row.accepted === null) {
    // An edit of the order may have changed its open collection's amount since this session was made.
    await setCollectionSum(ports, session, session.amount)
  }
  if (session.status === "pending_authorization") {
    await core.authorizeDeferredSession(sessionId)
  } else {
    await core.authorizeSession(sessionId)
  }
  await atLabelledPoint("apply:authorized")
  const payment = await paymentOf(ports, row, sessionId)
  return payment
    ? await capture(ports, row, payment, { orderId, isEven })
    : failed(`session ${sessionId} was not authorized`)
}

async function capturePayment(
  ports: SettlePorts,
  row: TransactionRow,
  { paymentId, orderId, isEven }: Extract<Action, { do: "capture" }>
): Promise<Applied> {
  const [payment] = await ports.medusa.listPayments({ id: paymentId }, ["captures"])
  return payment
    ? await capture(ports, row, payment, { orderId, isEven })
    : failed(`payment ${paymentId} is not there any more`)
}

/**
 * Books the payment on the order and emits `payment.captured`. The provider has answered `captured`, so Medusa's payment counts
 * as captured already. A finished completion has booked it, but not emitted the event.
 *
 * @param isNew whether the order was made with this payment, so that a cancellation since then has seen the money
 */
async function capture(
  ports: SettlePorts,
  row: TransactionRow,
  payment: CapturedPayment,
  { orderId, isEven, isNew = false }: { orderId: string | null; isEven: boolean; isNew?: boolean }
): Promise<Extract<Applied, { outcome: "done" }>> {
  const { medusa, core } = ports
  if (orderId && (await isBooked(ports, payment, orderId))) {
    await core.publishCaptured(payment.id, orderId)
  } else {
    await core.capturePayment(payment.id)
  }
  if (orderId) {
    const [order] = isNew ? [] : await medusa.listOrders({ id: orderId })
    if (order?.isCanceled) {
      // The order was canceled while it was being paid. Core's cancellation saw no payment, so no due refund was reported yet.
      await takeBackUnprovenRefunds(ports, orderId)
    } else if (!isEven) {
      await followDifference(ports, row, orderId)
    }
  }
  return { outcome: "done", captured: true, ...(orderId ? { orderId } : {}) }
}

/** Tells of a difference, and makes a collection for a rest, because the dashboard's payment link needs an unpaid one. */
export async function followDifference(
  ports: SettlePorts,
  row: TransactionRow,
  orderId: string
): Promise<void> {
  const [followed] = await followOrders(ports, [orderId])
  if (!followed || !isOwed(followed.due.owed) || row.accepted !== null) return
  if (isOwed(followed.order.owed)) await ports.core.offerRest(followed.order)
}

async function isBooked(
  { medusa }: SettlePorts,
  payment: CapturedPayment,
  orderId: string
): Promise<boolean> {
  if (!payment.isCaptured || !payment.captures.length) return false
  const captures = payment.captures.map(({ id }) => id)
  const booked = await medusa.listBookings(orderId, {
    reference: "capture",
    reference_id: captures,
  })
  return booked.length === captures.length
}

/** Cancels a session, unless core has deleted it meanwhile. */
export async function closeSession(
  { medusa, core }: SettlePorts,
  sessionId: string
): Promise<void> {
  if (await medusa.findSession(sessionId)) {
    await core.setSessionStatus(sessionId, PaymentSessionStatus.CANCELED)
  }
}

function sessionOf(sessions: Session[], sessionId: string): Session {
  const session = sessions.find(({ id }) => id === sessionId)
  if (!session) throw refusedPayment("session_gone", { session: sessionId })
  return session
}

async function setCollectionSum(
  { core }: SettlePorts,
  { collectionId, collection, currency }: Session,
  amount: string
): Promise<void> {
  if (compareSums(collection.amount, amount) !== 0 || collection.currency !== currency) {
    await core.setCollectionAmount(collectionId, { amount, currency })
  }
}

/** Core completes a cart with its first open session, so all open ones but the paid one are deleted. */
async function dropOtherSessions(
  { module, core }: SettlePorts,
  sessions: Session[],
  paidId: string
): Promise<void> {
  for (const { id } of sessions.filter(
    ({ id, status }) => id !== paidId && isOpenSession(status)
  )) {
    // Our provider refuses if that session is paid, too. The completion continues, and may fail in core.
    await core.deleteSession(id).catch((error: unknown) => {
      module.logger.warn(`Payment session ${id} could not be removed: ${reasonOf(error)}`)
    })
  }
}

/** The payment that Medusa has made from a session. */
async function paymentOf(
  { medusa }: SettlePorts,
  { payment_collection_id }: TransactionRow,
  sessionId: string
): Promise<CapturedPayment | null> {
  const payments = await medusa.listPayments({ payment_collection_id }, ["captures"])
  return payments.find((payment) => payment.sessionId === sessionId) ?? null
}

/** The result of an action that core refused or that threw an error. */
export function failed(error: unknown): Applied & { outcome: "failed" } {
  return { outcome: "failed", refusal: refusalOf(error) }
}
