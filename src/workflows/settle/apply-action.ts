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

/** What became of an action; `failed` carries core's reason, `again` asks for another judgement of what there is now. */
export type Applied =
  | { outcome: "done"; orderId?: string; captured?: boolean; ended?: () => Promise<void> }
  | { outcome: "again" }
  | { outcome: "failed"; reason: string }

const DONE: Applied = { outcome: "done" }

/**
 * The one place that brings a payment to Medusa's carts, orders and sessions. Each action is what core's
 * own workflows do, and each may run again after a crash without doing anything twice. It acts and decides
 * nothing: its target is held, and what Medusa has was judged since.
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
  // A cart edit that we vetoed leaves its amount on the payment collection: core writes it while it deletes the
  // sessions, and does not take it back. What the order will ask for is what the cart is worth.
  await setCollectionAmount(container, collection, session, cartTotal)
  await dropOtherSessions(container, collection, sessionId)
  const completed = await completeCart(container, { id: row.id, cart_id: cartId })
  if ("error" in completed) {
    return failed(completed.error)
  }
  const { orderId, ended } = completed
  await reached("apply:order placed")
  const payment = await paymentOf(container, sessionId)
  if (!payment) {
    // Core answers with the order that a cart has already, which need not be paid by this session.
    await linkToCollection(container, row, orderId)
    await ended()
    return { outcome: "again" }
  }
  const captured = await capture(container, row, payment.id, orderId)
  return captured.outcome === "done" ? { ...captured, ended } : captured
}

/** Core links an order to its cart and to its collection at the same time, and may have died in between. */
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
    // Before it is paid, because afterwards nothing would show that nobody was told.
    await tellPlaced(container, orderId, row.payment_collection_id)
  }
  if (reopenSession) {
    await setSessionStatus(container, sessionId, PaymentSessionStatus.PENDING)
  }
  const { session, collection } = await sessionInCollection(container, row, sessionId)
  if (orderId && row.accepted_amount === null) {
    // An edit of the order has given its open collection another sum than this session was made for.
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
 * Already captured by the provider's answer: this books it on the order and emits `payment.captured`. A completion
 * that was not interrupted has booked it, and emits no such event.
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
      // Canceled while it was being paid: core's cancellation saw no payment, so nobody was told of the money.
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

/** The dashboard copies the link of a collection that is not paid, and nobody could pay the rest without one. */
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

/** A session that core has deleted meanwhile is as closed as it can be. */
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

/** Core completes a cart with its first open session, which must be the one that was paid. */
async function dropOtherSessions(
  container: MedusaContainer,
  { payment_sessions = [] }: PaymentCollectionDTO,
  paidId: string
): Promise<void> {
  const { logger } = paymentServiceModule(container)
  for (const { id } of payment_sessions.filter(
    ({ id, status }) => id !== paidId && isOpenSession(status)
  )) {
    // A veto (paid twice) is not ours to overrule here: the order is placed or fails with its reason.
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

/** Core refused or failed: its reason, and that it may be tried again. */
export function failed(error: unknown): Applied & { outcome: "failed" } {
  return { outcome: "failed", reason: reasonOf(error) }
}
