import { randomUUID } from "node:crypto"

import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { deleteReservationsByLineItemsWorkflow } from "@medusajs/medusa/core-flows"

import {
  type CompletedOrder,
  hasReachedPayment,
  isInUse,
  listCompletedOrders,
} from "../../medusa/completed-order"
import { usesOfCart } from "../../medusa/promotions"
import { paymentServiceModule } from "../../modules/payment-service"
import {
  COMPLETION_ID,
  type Completion,
  type CompletionMark,
} from "../../modules/payment-service/completion-marks"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { withCartLock } from "./cart-lock"
import { revertPromotionUse } from "./promotion-use"
import { emitOrderPlaced } from "./emit-order-placed"

/**
 * Core makes an order first, then links it to its cart, reserves stock and uses promotions, asks us for the payment last, and
 * emits `order.placed` at the end. A process that dies in between leaves an order without a cart or stock, or without the event.
 * So the row is marked while core completes its cart, and the order carries the completion's id. If no end of the completion was
 * recorded, its half-made order is deleted, or the event of a complete one is emitted: before the next attempt, before it is
 * paid, or by the watcher. An order without such an id stays untouched.
 */

/** The clocks of process and database may differ this much: an order's id has the first one's time, the mark the second one's. */
const CLOCKS_DIFFER_MS = 60 * 60_000
/** The watcher's wait for a cart's lock; its next pass tries a cart again that stays locked. */
const SWEEP_WAIT_MS = 1_000

/**
 * Marks the row before core completes its cart with this transaction, after finishing an earlier killed completion.
 *
 * @param isHeld whether the caller holds the cart until its completion has ended
 * @param waitMs if not, how long to wait for the cart's lock when the cart has a mark already
 * @returns a function that ends the mark, to be called when core has ended, with or without an order
 * @throws when the cart is not free in time
 */
export async function beginCompletion(
  container: MedusaContainer,
  row: { id: string; cart_id: string },
  { isHeld = false, waitMs }: { isHeld?: boolean; waitMs?: number } = {}
): Promise<() => Promise<void>> {
  const { completionMarks } = paymentServiceModule(container)
  const begin = async () => {
    const uses = await usesOfCart(container, row.cart_id)
    return await completionMarks.begin(row, { id: randomUUID(), isHeld, uses })
  }
  let begun = await begin()
  if (!begun) {
    const finish = () => finishKilledCompletion(container, row.cart_id)
    await (isHeld ? finish() : withCartLock(container, row.cart_id, finish, waitMs))
    begun = await begin()
  }
  // Without a mark of its own, another completion of the cart is running and ends its own mark. Whichever of the two makes the
  // order, it carries that completion's id.
  const mark = begun && { id: row.id, completion: begun }
  return async () => {
    if (mark) await completionMarks.end(mark)
  }
}

/**
 * Finishes killed completions of a cart: deletes a half-made order, or emits `order.placed` for a complete one. The caller must
 * hold the cart, so that nobody is completing it. `/complete` releases the cart a moment before core emits the event, so a young
 * mark of it is left to the watcher, unless the order is half-made.
 *
 * @returns whether an order was deleted, so that the cart has to be completed again
 */
export async function finishKilledCompletion(
  container: MedusaContainer,
  cartId: string
): Promise<boolean> {
  const { completionMarks } = paymentServiceModule(container)
  let isTakenBack = false
  for (const mark of await completionMarks.find(cartId)) {
    const hasEnded = mark.isOld || mark.completion.isHeld
    const found = await findOrderOf(container, mark)
    if (found && !found.isComplete) {
      await rollBack(container, cartId, found.order, mark.completion.uses)
      isTakenBack = true
    } else if (!hasEnded) {
      continue
    } else if (found && !found.order.canceled_at) {
      await emitOrderPlaced(container, found.order.id, mark.payment_collection_id)
    }
    await completionMarks.end(mark)
  }
  return isTakenBack
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

/** Rolls back as core would have done. The order is deleted last, because a next attempt finds the remaining steps by it. */
async function rollBack(
  container: MedusaContainer,
  cartId: string,
  order: CompletedOrder,
  usesBefore: Completion["uses"]
): Promise<void> {
  await deleteReservationsByLineItemsWorkflow(container).run({
    input: { ids: order.items.map(({ id }) => id) },
  })
  const ofOrder = { [Modules.ORDER]: { order_id: order.id } }
  await container.resolve(ContainerRegistrationKeys.LINK).dismiss([
    { ...ofOrder, [Modules.CART]: { cart_id: cartId } },
    ...order.payment_collections.map(({ id }) => ({
      ...ofOrder,
      [Modules.PAYMENT]: { payment_collection_id: id },
    })),
    ...order.promotions.map(({ id }) => ({
      ...ofOrder,
      [Modules.PROMOTION]: { promotion_id: id },
    })),
  ])
  await container.resolve(Modules.CART).updateCarts([{ id: cartId, completed_at: null }])
  await revertPromotionUse(container, order, usesBefore)
  await container.resolve(Modules.ORDER).deleteOrders([order.id])
  paymentServiceModule(container).logger.warn(
    `Payment Service: order #${order.display_id} (${order.id}) was removed: the completion that made it of ` +
      `cart ${cartId} broke off before it was complete, and nobody was told of it`
  )
}

/** The order with this completion's id; null without one, or when a copy of it has the same id. */
async function findOrderOf(
  container: MedusaContainer,
  { cart_id: cartId, payment_collection_id: collectionId, completion }: CompletionMark
): Promise<{ order: CompletedOrder; isComplete: boolean } | null> {
  const found = await listCompletedOrders(
    container,
    { [COMPLETION_ID]: completion.id },
    new Date(Date.parse(completion.beganAt) - CLOCKS_DIFFER_MS)
  )
  const linked = found.find((order) => order.cartId === cartId)
  if (linked) {
    const { transactions } = paymentServiceModule(container)
    const isComplete = hasReachedPayment(linked) || (await transactions.isOrderKnown(collectionId))
    return { order: linked, isComplete }
  }
  const [order, ...copies] = found.filter((one) => one.cartId === null)
  return order && !copies.length && !isInUse(order) ? { order, isComplete: false } : null
}
