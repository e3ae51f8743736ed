import { randomUUID } from "node:crypto"

import type {
  ICartModuleService,
  IOrderModuleService,
  MedusaContainer,
} from "@medusajs/framework/types"
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
  type Placing,
} from "../../modules/payment-service/placings"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { holdingCart } from "./holding-cart"
import { giveBackUse } from "./promotion-use"
import { tellPlaced } from "./tell-placed"

/**
 * Core makes an order first, then links it to its cart, reserves stock and uses promotions, asks us last, and
 * tells of the order when all of that has ended. A process that dies in between leaves an order that is no
 * cart's or has no stock, or one that nobody was told of. So a completion is marked on its row while it goes
 * on, its order carries its id, and an order with the id of a completion that was not seen to end is taken
 * back, or told of: before the next attempt, before it is paid, or by the watcher. An order without an id is
 * left alone.
 */

/** The clock that dates an order's id is its process's, the mark's is the database's. */
const CLOCKS_DIFFER_MS = 60 * 60_000
/** A cart that is held for longer than this is looked at in the next pass. */
const SWEEP_WAIT_MS = 1_000

/**
 * To be called before core completes a cart with this transaction.
 *
 * @param isHeld the cart is held by the caller until its completion has ended
 * @param waitMs else: for a completion of the same cart that did not end, or goes on
 * @returns to be called when core has ended, with or without an order
 * @throws when the cart is not free in time
 */
export async function beginCompletion(
  container: MedusaContainer,
  row: { id: string; cart_id: string },
  { isHeld = false, waitMs }: { isHeld?: boolean; waitMs?: number } = {}
): Promise<() => Promise<void>> {
  const { placings } = paymentServiceModule(container)
  const begin = async () => {
    const uses = await usesOfCart(container, row.cart_id)
    const completion: Completion = { id: randomUUID(), isHeld, uses }
    return (await placings.begin(row, completion)) ? completion : null
  }
  let begun = await begin()
  if (!begun) {
    const finish = () => finishKilledCompletion(container, row.cart_id)
    await (isHeld ? finish() : holdingCart(container, row.cart_id, finish, waitMs))
    begun = await begin()
  }
  // A completion that goes on, and waits for the cart as this one does, ends its mark itself. The cart carries
  // its id, and so does the order, whichever of the two makes it.
  const mark = begun && { id: row.id, placing_of: begun }
  return async () => {
    if (mark) await placings.end(mark)
  }
}

/**
 * To be called while the cart is held, when nobody can be completing it: takes a half-made order back, or
 * tells of one that is whole and that nobody was told of. A completion that holds the cart itself has ended
 * by then. `/complete` gives the cart back a moment before core tells of the order: a mark of its that is
 * young is left to the watcher.
 *
 * @returns whether an order was taken back, so that the cart is to be completed anew
 */
export async function finishKilledCompletion(
  container: MedusaContainer,
  cartId: string
): Promise<boolean> {
  const { placings } = paymentServiceModule(container)
  let isTakenBack = false
  for (const mark of await placings.find(cartId)) {
    const hasEnded = mark.isOld || mark.placing_of.isHeld !== false
    const found = await findOrderOf(container, mark)
    if (found && !found.isComplete) {
      await takeBack(container, cartId, found.order, mark.placing_of.uses ?? {})
      isTakenBack = true
    } else if (!hasEnded) {
      continue
    } else if (found && !found.order.canceled_at) {
      await tellPlaced(container, found.order.id, mark.payment_collection_id)
    }
    await placings.end(mark)
  }
  return isTakenBack
}

/** Completions that nobody tried again. */
export async function finishCompletions(container: MedusaContainer): Promise<void> {
  const { placings, logger } = paymentServiceModule(container)
  for (const cartId of await placings.findUnfinished()) {
    try {
      await holdingCart(
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

/** Does what core would have done to roll back, had its process lived; the order last, by which it is known. */
async function takeBack(
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
  await container
    .resolve<ICartModuleService>(Modules.CART)
    .updateCarts([{ id: cartId, completed_at: null }])
  await giveBackUse(container, order, usesBefore)
  await container.resolve<IOrderModuleService>(Modules.ORDER).deleteOrders([order.id])
  paymentServiceModule(container).logger.warn(
    `Payment Service: order #${order.display_id} (${order.id}) was removed: the process that made it of ` +
      `cart ${cartId} died before it was complete, and nobody was told of it`
  )
}

/** The order with the id of this completion, unless it is not to be told from a copy of it. */
async function findOrderOf(
  container: MedusaContainer,
  { cart_id: cartId, payment_collection_id: collectionId, placing_at, placing_of }: Placing
): Promise<{ order: CompletedOrder; isComplete: boolean } | null> {
  if (!placing_of.id) {
    return null
  }
  const found = await listCompletedOrders(
    container,
    { [COMPLETION_ID]: placing_of.id },
    new Date(placing_at.getTime() - CLOCKS_DIFFER_MS)
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
