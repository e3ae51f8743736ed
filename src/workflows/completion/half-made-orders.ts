import { randomUUID } from "node:crypto"

import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"

import {
  type CompletedOrder,
  hasReachedPayment,
  listCompletedOrders,
} from "../../medusa/completed-order"
import { paymentServiceModule } from "../../modules/payment-service"
import { COMPLETION_ID, type CompletionMark } from "../../modules/payment-service/completion-marks"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { problem } from "../../settlement/problems"
import { withCartLock } from "./cart-lock"
import { emitOrderPlaced } from "./emit-order-placed"

/**
 * Core makes an order first, then links it to its cart, reserves stock and uses promotions, asks us for the payment last, and
 * emits `order.placed` at the end. A process that dies in between leaves an order without a cart or stock, or without the event.
 * So the row is marked while core completes its cart, and the order carries the completion's id. If no end of the completion was
 * recorded, its order is looked for: before the next attempt, before it is paid, or by the watcher. Of one that is linked
 * to its cart, the event is emitted, and it takes the cart's payment. If it is half-made, a person is told what may be missing. If
 * it is not even linked, its cart is not completed again until the person has said what became of it.
 */

/** The clocks of process and database may differ this much: an order's id has the first one's time, the mark the second one's. */
const CLOCKS_DIFFER_MS = 60 * 60_000
const ORDER_WAS_LEFT =
  "An order of this cart was left half-made. The shop has to look at it first. Please do not pay again."
/** The watcher's wait for a cart's lock; its next pass tries a cart again that stays locked. */
const SWEEP_WAIT_MS = 1_000

/**
 * Marks the row before core completes its cart with this transaction, after finishing an earlier killed completion.
 *
 * @param isHeld whether the caller holds the cart until its completion has ended
 * @param waitMs if not, how long to wait for the cart's lock when the cart has a mark already
 * @returns a function that ends the mark, to be called when core has ended, with or without an order
 * @throws when the cart is not free in time, or a person has to look at an order that an earlier completion left
 */
export async function beginCompletion(
  container: MedusaContainer,
  row: { id: string; cart_id: string },
  { isHeld = false, waitMs }: { isHeld?: boolean; waitMs?: number } = {}
): Promise<() => Promise<void>> {
  const { completionMarks } = paymentServiceModule(container)
  const begin = () => completionMarks.begin(row, { id: randomUUID(), isHeld })
  let begun = await begin()
  if (!begun) {
    const finish = () => finishKilledCompletion(container, row.cart_id)
    await (isHeld ? finish() : withCartLock(container, row.cart_id, finish, waitMs))
    begun = await begin()
  }
  if (!begun && (await completionMarks.isLeft(row.cart_id))) {
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, ORDER_WAS_LEFT)
  }
  // Without a mark of its own, another completion of the cart is running and ends its own mark. Whichever of the two makes the
  // order, it carries that completion's id.
  const mark = begun && { id: row.id, completion: begun }
  return async () => {
    if (mark) await completionMarks.end(mark)
  }
}

/**
 * Finishes killed completions of a cart. The caller must hold the cart, so that nobody is completing it. `/complete` releases the
 * cart a moment before core emits the event, so a young mark of it is left to the watcher, unless the order is half-made.
 */
export async function finishKilledCompletion(
  container: MedusaContainer,
  cartId: string
): Promise<void> {
  const { completionMarks, transactions, problems } = paymentServiceModule(container)
  for (const mark of await completionMarks.find(cartId)) {
    const { completion, payment_collection_id: collectionId } = mark
    const order = await findOrderOf(container, mark)
    const isLinked = order?.cartId === cartId
    const isComplete =
      isLinked && (hasReachedPayment(order) || (await transactions.isOrderKnown(collectionId)))
    if (order && !isComplete) {
      const facts = { cart: cartId, order: order.id, linked: isLinked }
      const subject = { cart_id: cartId, order_id: order.id }
      await problems.report(problem("order_half_made", facts), subject)
    } else if (!mark.isOld && !completion.isHeld) {
      continue
    }
    if (isLinked && !order.canceled_at) await emitOrderPlaced(container, order.id, collectionId)
    await completionMarks.end(mark)
  }
}

/** Finishes killed completions that no retry picked up. */
export async function finishCompletions(container: MedusaContainer): Promise<void> {
  const { completionMarks, logger } = paymentServiceModule(container)
  for (const cartId of await completionMarks.findUnfinished()) {
    try {
      await withCartLock(
        container,
        cartId,
        () => finishKilledCompletion(container, cartId),
        SWEEP_WAIT_MS
      )
    } catch (error) {
      logger.warn(`Payment Service: cart ${cartId} could not be looked at: ${reasonOf(error)}`)
    }
  }
}

/** The order with this completion's id: the one that is linked to the cart, else one that is linked to none and was not canceled. */
async function findOrderOf(
  container: MedusaContainer,
  { cart_id: cartId, completion }: CompletionMark
): Promise<CompletedOrder | undefined> {
  const found = await listCompletedOrders(
    container,
    { [COMPLETION_ID]: completion.id },
    new Date(Date.parse(completion.beganAt) - CLOCKS_DIFFER_MS)
  )
  return (
    found.find((order) => order.cartId === cartId) ??
    found.find((order) => order.cartId === null && !order.canceled_at)
  )
}
