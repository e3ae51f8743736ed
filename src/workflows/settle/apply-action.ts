import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import type {
  BigNumberInput,
  ILockingModule,
  IPaymentModuleService,
  Logger,
  MedusaContainer,
} from "@medusajs/framework/types"
import { MathBN, Modules, PaymentSessionStatus } from "@medusajs/framework/utils"
import {
  authorizePaymentSessionForOrderWorkflow,
  capturePaymentWorkflow,
  completeCartWorkflow,
} from "@medusajs/medusa/core-flows"

import type { Action } from "../../settlement/decide"

/** What became of an action; `failed` carries core's reason. */
export type Applied =
  | { outcome: "done"; orderId?: string; captured?: boolean }
  | { outcome: "failed"; exception: "completion_failed" | "paid_twice"; reason: string }

/** As core waits for a cart and holds it. */
const CART_LOCK_WAIT_MS = 30_000
const CART_LOCK_RETRY_MS = 300
const CART_LOCK_SECONDS = 120
const DONE: Applied = { outcome: "done" }

/**
 * The one place that changes Medusa's carts, orders, sessions and payments. Each action is what core's
 * own workflows do, and each may run again after a crash without doing anything twice.
 */
export async function applyAction(container: MedusaContainer, action: Action): Promise<Applied> {
  switch (action.do) {
    case "nothing":
      return DONE
    case "place_order":
      return await placeOrder(container, action)
    case "authorize":
      return await authorize(container, action)
    case "capture":
      return await holdingCart(container, action.cartId, () => capture(container, action.paymentId))
    case "cancel_session":
      return await cancelSession(container, action.sessionId)
  }
}

async function placeOrder(
  container: MedusaContainer,
  { cartId, sessionId, reopenSession }: Extract<Action, { do: "place_order" }>
): Promise<Applied> {
  if (reopenSession) {
    await setSessionStatus(container, sessionId, PaymentSessionStatus.PENDING)
  }
  await restoreCollection(container, sessionId)
  await dropOtherSessions(container, sessionId)
  const { result, errors } = await completeCartWorkflow(container).run({
    input: { id: cartId },
    throwOnError: false,
  })
  const [failure] = errors
  if (failure) {
    return failed(failure.error)
  }
  const payment = await paymentOf(container, sessionId)
  if (!payment) {
    return await payPlacedOrder(container, { cartId, sessionId, orderId: result.id })
  }
  const captured = await capture(container, payment.id)
  return captured.outcome === "done" ? { ...captured, orderId: result.id } : captured
}

/**
 * Core creates the order first and authorizes last. An order without any payment is what a process that
 * died in between left behind, and takes this one; an order with another payment has been paid twice.
 */
async function payPlacedOrder(
  container: MedusaContainer,
  { cartId, sessionId, orderId }: { cartId: string; sessionId: string; orderId: string }
): Promise<Applied> {
  return await holdingCart(container, cartId, async () => {
    const payments = paymentModule(container)
    const session = await payments.retrievePaymentSession(sessionId)
    const collection = await payments.retrievePaymentCollection(session.payment_collection_id, {
      relations: ["payments"],
    })
    const [other] = collection.payments ?? []
    if (other) {
      return {
        outcome: "failed",
        exception: "paid_twice",
        reason: `order ${orderId} was placed with payment ${other.id}`,
      }
    }
    const applied = await authorize(container, {
      sessionId,
      deferred: isDeferred(session.status),
      reopenSession: false,
    })
    return applied.outcome === "done" ? { ...applied, orderId } : applied
  })
}

/** A session of an order, or of a collection on its own (payment link): nothing is to be completed. */
async function authorize(
  container: MedusaContainer,
  { sessionId, deferred, reopenSession }: Omit<Extract<Action, { do: "authorize" }>, "do">
): Promise<Applied> {
  if (reopenSession) {
    await setSessionStatus(container, sessionId, PaymentSessionStatus.PENDING)
  }
  if (deferred) {
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
  const payment = await paymentOf(container, sessionId)
  return payment
    ? await capture(container, payment.id)
    : failed(`session ${sessionId} was not authorized`)
}

/** Already captured by the provider's answer: this books it on the order and emits `payment.captured`. */
async function capture(container: MedusaContainer, paymentId: string): Promise<Applied> {
  const { errors } = await capturePaymentWorkflow(container).run({
    input: { payment_id: paymentId },
    throwOnError: false,
  })
  return errors[0] ? failed(errors[0].error) : { outcome: "done", captured: true }
}

/**
 * Core books a capture on the order as the last step of a completion: not while one is under way, or it
 * would be booked twice. The key is the one that core's own workflows lock a cart with.
 */
async function holdingCart<T>(
  container: MedusaContainer,
  cartId: string | null,
  work: () => Promise<T>
): Promise<T> {
  if (!cartId) {
    return await work()
  }
  // Taken as core takes it: not every locking provider's `execute` excludes its `acquire`.
  const locking = container.resolve<ILockingModule>(Modules.LOCKING)
  const ownerId = randomUUID()
  const giveUpAt = Date.now() + CART_LOCK_WAIT_MS
  for (;;) {
    try {
      await locking.acquire(cartId, { ownerId, expire: CART_LOCK_SECONDS })
      break
    } catch (error) {
      if (Date.now() >= giveUpAt) throw error
      await sleep(CART_LOCK_RETRY_MS)
    }
  }
  try {
    return await work()
  } finally {
    await locking.release(cartId, { ownerId })
  }
}

/** A session that core has deleted meanwhile is as closed as it can be. */
async function cancelSession(container: MedusaContainer, sessionId: string): Promise<Applied> {
  const [session] = await paymentModule(container).listPaymentSessions({ id: sessionId })
  if (session) {
    await setSessionStatus(container, sessionId, PaymentSessionStatus.CANCELED)
  }
  return DONE
}

/**
 * A cart edit that we vetoed leaves its amount on the payment collection: core writes it while it deletes
 * the sessions, and does not take it back. The cart itself was found to be worth what was paid.
 */
async function restoreCollection(container: MedusaContainer, sessionId: string): Promise<void> {
  const payments = paymentModule(container)
  const session = await payments.retrievePaymentSession(sessionId)
  const collection = await payments.retrievePaymentCollection(session.payment_collection_id)
  const amount = exactAmount(session)
  if (
    !MathBN.eq(exactAmount(collection), amount) ||
    collection.currency_code !== session.currency_code
  ) {
    await payments.updatePaymentCollections(collection.id, {
      amount,
      currency_code: session.currency_code,
    })
  }
}

/** Beside the rounded number, core hands out the exact one under a name that its types leave out. */
function exactAmount(record: {
  amount: BigNumberInput
  raw_amount?: BigNumberInput
}): BigNumberInput {
  return record.raw_amount ?? record.amount
}

/** Core completes a cart with its first open session, which must be the one that was paid. */
async function dropOtherSessions(container: MedusaContainer, paidSessionId: string): Promise<void> {
  const payments = paymentModule(container)
  const logger = container.resolve<Logger>("logger")
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

function isDeferred(status: string): boolean {
  return status === "pending_authorization"
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

function paymentModule(container: MedusaContainer): IPaymentModuleService {
  return container.resolve<IPaymentModuleService>(Modules.PAYMENT)
}

/** Core refused or failed: its reason, and that it may be tried again. */
export function failed(error: unknown): Applied & { outcome: "failed" } {
  return { outcome: "failed", exception: "completion_failed", reason: reasonOf(error) }
}

export function reasonOf(error: unknown): string {
  // What crossed a workflow arrives as a plain object with the error's fields.
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error)
}
