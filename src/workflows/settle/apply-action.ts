import type {
  IEventBusModuleService,
  IPaymentModuleService,
  MedusaContainer,
  PaymentCollectionDTO,
  PaymentSessionDTO,
} from "@medusajs/framework/types"
import {
  ContainerRegistrationKeys,
  MedusaError,
  Modules,
  PaymentEvents,
  PaymentSessionStatus,
} from "@medusajs/framework/utils"
import {
  authorizePaymentSessionForOrderWorkflow,
  cancelOrderWorkflow,
  capturePaymentWorkflow,
} from "@medusajs/medusa/core-flows"

import { findOrderId } from "../../medusa/links"
import { findOrderToPay } from "../../medusa/order"
import { listBookings, listPayments, type Payment } from "../../medusa/payments"
import { findSession } from "../../medusa/sessions"
import { paymentServiceModule, type TransactionRow } from "../../modules/payment-service"
import { reached } from "../../modules/payment-service/labelled-points"
import { exactAmount, toDecimalText, toWireAmount } from "../../settlement/amount"
import type { Action } from "../../settlement/decide"
import { isOwed } from "../../settlement/order-balance"
import { isOpenSession } from "../../settlement/session-status"
import { collectionForRest } from "../orders/collection-to-pay"
import { takeBackUnprovenRefunds } from "../refunds/take-back-unproven-refunds"
import { completeCart } from "./complete-cart"
import { followOrderBalances } from "./order-balance"
import { tellPlaced } from "./tell-placed"
import { reportUnpaidOrder } from "./unpaid-orders"
import { reasonOf } from "../../modules/payment-service/reason-of"

/**
 * How an action ended. `again`: Medusa's state must be loaded and judged once more. `failed`: `reason` says
 * why. `ended` removes the completion's mark and is to be called once the row is recorded.
 */
export type Applied =
  | { outcome: "done"; orderId?: string; captured?: boolean; ended?: () => Promise<void> }
  | { outcome: "again" }
  | { outcome: "failed"; reason: string }

const DONE: Applied = { outcome: "done" }

/**
 * The one place that brings a payment to Medusa's carts, orders and sessions. Each action runs core's own
 * workflows, and each may run again after a crash without doing anything twice. It decides nothing: the
 * caller holds the lock, and `decide` has judged Medusa's state under it.
 */
export async function applyAction(
  container: MedusaContainer,
  row: TransactionRow,
  action: Action
): Promise<Applied> {
  switch (action.do) {
    case "nothing":
      return DONE
    case "place_order":
      return await placeOrder(container, row, action)
    case "authorize":
      return await authorize(container, row, action)
    case "capture":
      return await capture(container, row, action.paymentId, action.orderId)
    case "cancel_session":
      await closeSession(container, action.sessionId)
      return DONE
    case "cancel_order":
      return await cancelOrder(container, action.orderId)
    case "report_order":
      await reportUnpaidOrder(paymentServiceModule(container), row, action.orderId, null)
      return DONE
  }
}

async function placeOrder(
  container: MedusaContainer,
  row: TransactionRow,
  { cartId, cartTotal, sessionId, reopenSession }: Extract<Action, { do: "place_order" }>
): Promise<Applied> {
  if (reopenSession) {
    await setSessionStatus(container, sessionId, PaymentSessionStatus.PENDING)
  }
  const { session, collection } = await sessionInCollection(container, row, sessionId)
  // Our provider refuses a cart edit once the session is paid, but core may have written the edit's total to
  // the collection by then, and does not undo that. The order will ask for the cart's total.
  await setCollectionAmount(container, collection, session, cartTotal)
  await dropOtherSessions(container, collection, sessionId)
  const cart = { id: cartId, total: cartTotal, currency: session.currency_code }
  const completed = await completeCart(container, row.id, cart)
  if ("error" in completed) {
    return failed(completed.error)
  }
  const { orderId, ended } = completed
  await reached("apply:order placed")
  const payment = await paymentOf(container, sessionId)
  if (!payment) {
    // If the cart has an order already, core returns that one, and this session need not have paid for it.
    await linkToCollection(container, row, orderId)
    await ended()
    return { outcome: "again" }
  }
  const captured = await capture(container, row, payment.id, orderId)
  return captured.outcome === "done" ? { ...captured, ended } : captured
}

/** Core links an order to its cart and collection in parallel: if it dies then, one link may be missing. */
async function linkToCollection(
  container: MedusaContainer,
  { payment_collection_id }: TransactionRow,
  orderId: string
): Promise<void> {
  if (await findOrderId(container, payment_collection_id)) {
    return
  }
  await container.resolve(ContainerRegistrationKeys.LINK).create({
    [Modules.ORDER]: { order_id: orderId },
    [Modules.PAYMENT]: { payment_collection_id },
  })
}

/** Authorizes and captures a session of an order, or of a collection on its own (payment link). */
async function authorize(
  container: MedusaContainer,
  row: TransactionRow,
  { sessionId, orderId, reopenSession }: Extract<Action, { do: "authorize" }>
): Promise<Applied> {
  const { transactions } = paymentServiceModule(container)
  if (orderId && !(await transactions.isOrderKnown(row.payment_collection_id))) {
    // `order.placed` is emitted first: once the payment is booked, nothing shows that the event is missing.
    await tellPlaced(container, orderId, row.payment_collection_id)
  }
  if (reopenSession) {
    await setSessionStatus(container, sessionId, PaymentSessionStatus.PENDING)
  }
  const { session, collection } = await sessionInCollection(container, row, sessionId)
  if (orderId && row.accepted_amount === null) {
    // An edit of the order may have changed its open collection's amount since this session was made.
    await setCollectionAmount(container, collection, session, toDecimalText(exactAmount(session)))
  }
  if (session.status === "pending_authorization") {
    const { errors } = await authorizePaymentSessionForOrderWorkflow(container).run({
      input: { payment_session_id: sessionId },
      throwOnError: false,
    })
    if (errors[0]) {
      return failed(errors[0].error)
    }
  } else {
    await paymentModule(container).authorizePaymentSession(sessionId, {})
  }
  await reached("apply:authorized")
  const payment = await paymentOf(container, sessionId)
  return payment
    ? await capture(container, row, payment.id, orderId)
    : failed(`session ${sessionId} was not authorized`)
}

/**
 * The provider has answered `captured`, so Medusa's payment counts as captured already: this books it on the
 * order and emits `payment.captured`. A completion that ran to its end has booked it, but not emitted that.
 */
async function capture(
  container: MedusaContainer,
  row: TransactionRow,
  paymentId: string,
  orderId: string | null
): Promise<Applied> {
  if (orderId && (await isBooked(container, paymentId, orderId))) {
    await container
      .resolve<IEventBusModuleService>(Modules.EVENT_BUS)
      .emit({ name: PaymentEvents.CAPTURED, data: { id: paymentId } })
  } else {
    const { errors } = await capturePaymentWorkflow(container).run({
      input: { payment_id: paymentId },
      throwOnError: false,
    })
    if (errors[0]) {
      return failed(errors[0].error)
    }
  }
  if (orderId) {
    const [order] = await followOrderBalances(container, [orderId])
    if (order?.canceled) {
      // The order was canceled while it was being paid. Core's cancellation saw no payment, so no refund was
      // reported as due yet.
      await takeBackUnprovenRefunds(container, orderId)
    } else if (order?.differs === "order_underpaid" && row.accepted_amount === null) {
      await offerRest(container, row)
    }
  }
  return { outcome: "done", captured: true, ...(orderId ? { orderId } : {}) }
}

async function isBooked(
  container: MedusaContainer,
  paymentId: string,
  orderId: string
): Promise<boolean> {
  const [payment] = await listPayments(container, { id: paymentId }, ["captures"])
  if (!payment?.isCaptured || !payment.captures.length) {
    return false
  }
  const captures = payment.captures.map(({ id }) => id)
  const booked = await listBookings(container, orderId, {
    reference: "capture",
    reference_id: captures,
  })
  return booked.length === captures.length
}

/** Makes a collection for what is still owed: the dashboard's payment link needs one that is not paid. */
async function offerRest(container: MedusaContainer, row: TransactionRow): Promise<void> {
  const order = await findOrderToPay(container, row.payment_collection_id)
  if (order && isOwed(order.owed)) {
    await collectionForRest(container, order)
  }
}

async function cancelOrder(container: MedusaContainer, orderId: string): Promise<Applied> {
  const { errors } = await cancelOrderWorkflow(container).run({
    input: { order_id: orderId },
    throwOnError: false,
  })
  return errors[0] ? failed(errors[0].error) : DONE
}

/** Cancels a session, unless core has deleted it meanwhile. */
export async function closeSession(container: MedusaContainer, sessionId: string): Promise<void> {
  const [session] = await paymentModule(container).listPaymentSessions({ id: sessionId })
  if (session) {
    await setSessionStatus(container, sessionId, PaymentSessionStatus.CANCELED)
  }
}

async function sessionInCollection(
  container: MedusaContainer,
  { payment_collection_id }: TransactionRow,
  sessionId: string
): Promise<{ session: PaymentSessionDTO; collection: PaymentCollectionDTO }> {
  const collection = await paymentModule(container).retrievePaymentCollection(
    payment_collection_id,
    { relations: ["payment_sessions"] }
  )
  const session = collection.payment_sessions?.find(({ id }) => id === sessionId)
  if (!session) {
    throw new MedusaError(
      MedusaError.Types.NOT_FOUND,
      `Payment session ${sessionId} is not there any more.`
    )
  }
  return { session, collection }
}

async function setCollectionAmount(
  container: MedusaContainer,
  collection: PaymentCollectionDTO,
  { currency_code }: PaymentSessionDTO,
  amount: string
): Promise<void> {
  if (
    toWireAmount(exactAmount(collection)) !== toWireAmount(amount) ||
    collection.currency_code !== currency_code
  ) {
    await paymentModule(container).updatePaymentCollections(collection.id, {
      amount,
      currency_code,
    })
  }
}

/** Core completes a cart with its first open session, so all open ones but the paid one are deleted. */
async function dropOtherSessions(
  container: MedusaContainer,
  { payment_sessions = [] }: PaymentCollectionDTO,
  paidId: string
): Promise<void> {
  const { logger } = paymentServiceModule(container)
  for (const { id } of payment_sessions.filter(
    ({ id, status }) => id !== paidId && isOpenSession(status)
  )) {
    // Our provider refuses if that session is paid, too. The completion goes on, and may fail in core.
    await paymentModule(container)
      .deletePaymentSession(id)
      .catch((error: unknown) => {
        logger.warn(`Payment session ${id} could not be removed: ${reasonOf(error)}`)
      })
  }
}

async function setSessionStatus(
  container: MedusaContainer,
  sessionId: string,
  status: PaymentSessionStatus
): Promise<void> {
  const payments = paymentModule(container)
  const session = await payments.retrievePaymentSession(sessionId)
  await payments.updatePaymentSession({
    id: session.id,
    data: session.data,
    amount: session.amount,
    currency_code: session.currency_code,
    status,
  })
}

async function paymentOf(container: MedusaContainer, sessionId: string): Promise<Payment | null> {
  return (await findSession(container, sessionId))?.payment ?? null
}

function paymentModule(container: MedusaContainer): IPaymentModuleService {
  return container.resolve<IPaymentModuleService>(Modules.PAYMENT)
}

/** The outcome of an action that core refused, or in which an error was thrown. */
export function failed(error: unknown): Applied & { outcome: "failed" } {
  return { outcome: "failed", reason: reasonOf(error) }
}
