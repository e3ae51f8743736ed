import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, PaymentSessionStatus } from "@medusajs/framework/utils"
import {
  authorizePaymentSessionForOrderWorkflow,
  cancelOrderWorkflow,
  capturePaymentWorkflow,
} from "@medusajs/medusa/core-flows"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { reached } from "../../modules/payment-service/labelled-points"
import { compareAmounts, exactAmount, toDecimalText } from "../../settlement/amount"
import type { Action } from "../../settlement/decide"
import { isTargetGone, type MedusaState } from "../../settlement/evidence"
import { takeBackUnprovenRefundsWorkflow } from "../refunds/take-back-unproven-refunds"
import { completeCart } from "./complete-cart"
import { finishKilledCompletion } from "./half-made-orders"
import { holdingCart } from "./holding-cart"
import { loadOrder } from "./load-medusa-state"
import { tellPlaced } from "./tell-placed"
import { reportUnpaidOrder } from "./unpaid-orders"
import { reasonOf } from "../../modules/payment-service/reason-of"

/** What became of an action; `failed` carries core's reason. */
export type Applied =
  | { outcome: "done"; orderId?: string; captured?: boolean }
  | {
      outcome: "failed"
      exception: "completion_failed" | "paid_twice" | "order_canceled"
      reason: string
    }

/** A living completion takes no longer. What a dead one holds is free after a while: others go first. */
const BUSY_CART_WAIT_MS = 8_000
const DONE: Applied = { outcome: "done" }

/**
 * The one place that brings a payment to Medusa's carts, orders and sessions. Each action is what core's
 * own workflows do, and each may run again after a crash without doing anything twice.
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
      return await payOrder(container, row, action)
    case "capture":
      // Core books a capture on the order as the last step of a completion: not while one is under way, or
      // it would be booked twice.
      return await holdingCart(container, action.cartId, async () =>
        isOrderGone(row, await loadOrder(container, row))
          ? DONE
          : await capture(container, row, action.paymentId)
      )
    case "cancel_session":
      await closeSession(container, action.sessionId)
      return DONE
    case "cancel_order":
      return await holdingCart(container, action.cartId, () => cancelOrder(container, row))
    case "report_order":
      await reportUnpaidOrder(paymentServiceModule(container), row, action.orderId, null)
      return DONE
  }
}

async function placeOrder(
  container: MedusaContainer,
  row: TransactionRow,
  { cartId, sessionId, reopenSession }: Extract<Action, { do: "place_order" }>
): Promise<Applied> {
  if (reopenSession) {
    await setSessionStatus(container, sessionId, PaymentSessionStatus.PENDING)
  }
  await restoreCollection(container, sessionId)
  await dropOtherSessions(container, sessionId)
  const completed = await completeCart(
    container,
    { id: row.id, cart_id: cartId },
    BUSY_CART_WAIT_MS
  )
  if ("error" in completed) {
    return failed(completed.error)
  }
  const { orderId } = completed
  await reached("apply:order placed")
  const payment = await paymentOf(container, sessionId)
  if (!payment) {
    // Core creates the order first and authorizes last: a process that died in between left an order
    // without any payment, and it takes this one.
    if (!(await loadOrder(container, row))) {
      await linkToCollection(container, row, orderId)
    }
    const paid = await payOrder(container, row, { cartId, sessionId, reopenSession: false })
    return paid.outcome === "done" ? { ...paid, orderId } : paid
  }
  const captured = await capture(container, row, payment.id)
  return captured.outcome === "done" ? { ...captured, orderId } : captured
}

/** Core links an order to its cart and to its collection at the same time, and may have died in between. */
async function linkToCollection(
  container: MedusaContainer,
  row: TransactionRow,
  orderId: string
): Promise<void> {
  await container.resolve(ContainerRegistrationKeys.LINK).create({
    [Modules.ORDER]: { order_id: orderId },
    [Modules.PAYMENT]: { payment_collection_id: row.payment_collection_id },
  })
}

/**
 * Authorizes and captures a session of an order, or of a collection on its own (payment link): nothing is
 * to be completed. An order with another payment has been paid twice.
 */
async function payOrder(
  container: MedusaContainer,
  row: TransactionRow,
  { sessionId, cartId, reopenSession }: Omit<Extract<Action, { do: "authorize" }>, "do">
): Promise<Applied> {
  return await holdingCart(container, cartId, async () => {
    const payments = paymentModule(container)
    if (reopenSession) {
      await setSessionStatus(container, sessionId, PaymentSessionStatus.PENDING)
    }
    const session = await payments.retrievePaymentSession(sessionId, { relations: ["payment"] })
    const collection = await payments.retrievePaymentCollection(session.payment_collection_id, {
      relations: ["payments"],
    })
    const order = await loadOrder(container, row)
    if (isOrderGone(row, order)) {
      return DONE
    }
    const other = collection.payments?.find(
      ({ id, canceled_at }) => id !== session.payment?.id && !canceled_at
    )
    if (other) {
      const subject = order ? `order ${order.id}` : `collection ${collection.id}`
      return refused("paid_twice", `${subject} has payment ${other.id}`)
    }
    if (order?.canceled) {
      return refused("order_canceled", `order ${order.id} is canceled`)
    }
    const { transactions } = paymentServiceModule(container)
    if (order && row.cart_id && (await finishKilledCompletion(container, row.cart_id))) {
      return DONE
    }
    if (order && !(await transactions.isOrderKnown(row.payment_collection_id))) {
      // Before it is paid, because afterwards nothing would show that nobody was told.
      await tellPlaced(container, order.id, row.payment_collection_id)
    }
    const authorized = await authorize(container, row, session)
    return authorized.outcome === "done" && order
      ? { ...authorized, orderId: order.id }
      : authorized
  })
}

async function authorize(
  container: MedusaContainer,
  row: TransactionRow,
  { id: sessionId, status }: { id: string; status: string }
): Promise<Applied> {
  if (status === "pending_authorization") {
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
  if (!payment) {
    return failed(`session ${sessionId} was not authorized`)
  }
  return await capture(container, row, payment.id)
}

/**
 * An order can be seen half-way through a completion that fails after all. Nothing may be booked for a cart
 * that is a cart again; what to do with it is decided anew.
 */
function isOrderGone(row: TransactionRow, order: MedusaState["order"]): boolean {
  return isTargetGone(row, { cart: null, order })
}

/** Already captured by the provider's answer: this books it on the order and emits `payment.captured`. */
async function capture(
  container: MedusaContainer,
  row: TransactionRow,
  paymentId: string
): Promise<Applied> {
  const { errors } = await capturePaymentWorkflow(container).run({
    input: { payment_id: paymentId },
    throwOnError: false,
  })
  if (errors[0]) {
    return failed(errors[0].error)
  }
  const order = await loadOrder(container, row)
  if (order?.canceled) {
    // Canceled while it was being paid: core's cancellation saw no payment, so nobody was told of the money.
    await takeBackUnprovenRefundsWorkflow(container).run({ input: { order_id: order.id } })
  }
  return { outcome: "done", captured: true }
}

/** Unless it was paid, or opened to another payment, while we waited for the cart. */
async function cancelOrder(container: MedusaContainer, row: TransactionRow): Promise<Applied> {
  const order = await loadOrder(container, row)
  if (!order?.unpaid || order.canceled) {
    return DONE
  }
  const { errors } = await cancelOrderWorkflow(container).run({
    input: { order_id: order.id },
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

/**
 * A cart edit that we vetoed leaves its amount on the payment collection: core writes it while it deletes
 * the sessions, and does not take it back. The cart itself was found to be worth what was paid.
 */
async function restoreCollection(container: MedusaContainer, sessionId: string): Promise<void> {
  const payments = paymentModule(container)
  const session = await payments.retrievePaymentSession(sessionId)
  const collection = await payments.retrievePaymentCollection(session.payment_collection_id)
  const amount = toDecimalText(exactAmount(session))
  if (
    compareAmounts(exactAmount(collection), amount) !== 0 ||
    collection.currency_code !== session.currency_code
  ) {
    await payments.updatePaymentCollections(collection.id, {
      amount,
      currency_code: session.currency_code,
    })
  }
}

/** Core completes a cart with its first open session, which must be the one that was paid. */
async function dropOtherSessions(container: MedusaContainer, paidSessionId: string): Promise<void> {
  const payments = paymentModule(container)
  const { logger } = paymentServiceModule(container)
  const paid = await payments.retrievePaymentSession(paidSessionId)
  const others = await payments.listPaymentSessions({
    payment_collection_id: paid.payment_collection_id,
  })
  for (const { id } of others.filter(({ id, status }) => id !== paidSessionId && isOpen(status))) {
    // A veto (paid twice) is not ours to overrule here: the order is placed or fails with its reason.
    await payments.deletePaymentSession(id).catch((error: unknown) => {
      logger.warn(`Payment session ${id} could not be removed: ${reasonOf(error)}`)
    })
  }
}

function isOpen(status: string): boolean {
  return status === "pending" || status === "requires_more"
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

async function paymentOf(container: MedusaContainer, sessionId: string) {
  const session = await paymentModule(container).retrievePaymentSession(sessionId, {
    relations: ["payment"],
  })
  return session.payment
}

function paymentServiceModule(container: MedusaContainer): PaymentServiceModuleService {
  return container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
}

function paymentModule(container: MedusaContainer): IPaymentModuleService {
  return container.resolve<IPaymentModuleService>(Modules.PAYMENT)
}

function refused(exception: "paid_twice" | "order_canceled", reason: string): Applied {
  return { outcome: "failed", exception, reason }
}

/** Core refused or failed: its reason, and that it may be tried again. */
export function failed(error: unknown): Applied & { outcome: "failed" } {
  return { outcome: "failed", exception: "completion_failed", reason: reasonOf(error) }
}
