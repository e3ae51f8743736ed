import { randomUUID } from "node:crypto"

import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, OrderWorkflowEvents } from "@medusajs/framework/utils"
import { deleteReservationsByLineItemsWorkflow } from "@medusajs/medusa/core-flows"

import {
  type CompletedOrder,
  hasReachedPayment,
  listCompletedOrders,
} from "../../medusa/completed-order"
import { paymentServiceModule } from "../../modules/payment-service"
import { COMPLETION_ID, type CompletionMark } from "../../modules/payment-service/completion-marks"
import { subjectOf } from "../../modules/payment-service/problems"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { refusedPayment } from "../../modules/payment-service/refused-deed"
import { causeOfHalfMadeOrder } from "../../settlement/cause"
import { problem } from "../../settlement/problems"
import { withCartLock } from "./cart-lock"

/**
 * Core makes an order first, then links it to its cart, reserves stock and uses promotions, asks us for the payment last, and
 * emits `order.placed` at the end. A process that dies in between leaves an order without the rest. So the row is marked while core
 * completes its cart, and the order carries the completion's id. What a completion left that was not seen to end is looked for
 * before the next attempt, before it is paid, and by the watcher. It is not rolled back: an order that is linked to its cart is the
 * cart's order and takes the money, and a person is told what it may lack. One without that link waits for a person, and the cart is
 * not completed a second time until they have canceled it.
 *
 * Only where core has refused an order in this process, and could not roll it back, is that done for it: core's engine breaks its
 * workflow off when the database is slow.
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
 * @returns functions to call when core has ended: `end` removes the mark, because the order is made; `check` looks whether core has
 * left an order that it refused, and removes the mark if not
 * @throws when the cart is not free in time, or as `finishKilledCompletion` does
 */
export async function beginCompletion(
  container: MedusaContainer,
  row: { id: string; cart_id: string },
  { isHeld = false, waitMs }: { isHeld?: boolean; waitMs?: number } = {}
): Promise<{ end: () => Promise<void>; check: () => Promise<void> }> {
  const { completionMarks } = paymentServiceModule(container)
  const begin = () => completionMarks.begin(row, { id: randomUUID(), isHeld })
  const finish = (over?: string) => finishKilledCompletion(container, row.cart_id, { over })
  let begun = await begin()
  if (!begun) {
    await (isHeld ? finish() : withCartLock(container, row.cart_id, () => finish(), waitMs))
    begun = await begin()
  }
  const own = begun && { id: row.id, completion: begun }
  // Without a mark of its own, another completion of the cart is running, whose mark tells of the order of either.
  const mark = own ?? (isHeld ? await completionMarks.takeOver(row.cart_id) : null)
  const look = () => finish(mark?.completion.id)
  return {
    end: async () => {
      if (mark) await completionMarks.end(mark)
    },
    check: async () => {
      if (isHeld) await look()
      else if (mark) await withCartLock(container, row.cart_id, look, SWEEP_WAIT_MS)
    },
  }
}

/**
 * Finishes killed completions of a cart: emits `order.placed` for the order that one has made, and tells what it may lack. The
 * caller must hold the cart, so that nobody is completing it. `/complete` releases the cart a moment before core emits the event, so
 * a young mark of it is left to the watcher, unless the order is half-made.
 *
 * @param over the completion that core has ended in this process: without an order, unless that is whole
 * @throws MedusaError `NOT_ALLOWED` when an order is left that is not linked to the cart
 */
export async function finishKilledCompletion(
  container: MedusaContainer,
  cartId: string,
  { over }: { over?: string } = {}
): Promise<void> {
  const { completionMarks, problems } = paymentServiceModule(container)
  for (const mark of await completionMarks.find(cartId)) {
    const hasEnded = mark.isOld || mark.completion.isHeld
    const isOver = mark.completion.id === over
    const { order, stray } = await findOrdersOf(container, mark)
    if (stray && !isOver) await tellOf(container, mark, stray)
    if (!order) {
      if (!hasEnded && !isOver) continue
    } else if (isOver && !order.canceled_at && !(await isComplete(container, mark, order))) {
      await rollBack(container, cartId, order)
    } else if (order.canceled_at) {
      if (order.cartId === null) await freeCollection(container, mark, order)
      await problems.close([causeOfHalfMadeOrder(order.id)])
    } else if (order.cartId === null) {
      await completionMarks.setTold(mark)
      throw refusedPayment("order_half_made", { order: `#${order.display_id}` })
    } else {
      const isWhole = await isComplete(container, mark, order)
      if (isWhole && !hasEnded) continue
      if (!isWhole) await tellOf(container, mark, order)
      await emitOrderPlaced(container, order.id, mark.payment_collection_id)
    }
    await completionMarks.end(mark)
  }
}

/**
 * Emits `order.placed`, which core does only at the end of a completion, and records that on our rows. The event comes at least
 * once: if this process dies in between, it is emitted again.
 */
export async function emitOrderPlaced(
  container: MedusaContainer,
  orderId: string,
  paymentCollectionId: string
): Promise<void> {
  const module = paymentServiceModule(container)
  await container
    .resolve(Modules.EVENT_BUS)
    .emit({ name: OrderWorkflowEvents.PLACED, data: { id: orderId } }, {})
  await module.completionMarks.recordOrderPlaced(orderId, [paymentCollectionId])
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

/** The order with this completion's id: the cart's, or one that is linked to no cart; and a `stray` one that is linked to none. */
async function findOrdersOf(
  container: MedusaContainer,
  { cart_id: cartId, completion }: CompletionMark
): Promise<{ order: CompletedOrder | undefined; stray: CompletedOrder | undefined }> {
  const found = await listCompletedOrders(
    container,
    { [COMPLETION_ID]: completion.id },
    new Date(Date.parse(completion.beganAt) - CLOCKS_DIFFER_MS)
  )
  const unlinked = found.filter((order) => order.cartId === null)
  const stray = unlinked.find((order) => !order.canceled_at)
  return { order: found.find((order) => order.cartId === cartId) ?? stray ?? unlinked[0], stray }
}

/** Rolls back as core would have done, but for the uses of promotions. The order is deleted last: by it, the rest is found. */
async function rollBack(
  container: MedusaContainer,
  cartId: string,
  order: CompletedOrder
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
  ])
  await container.resolve(Modules.CART).updateCarts([{ id: cartId, completed_at: null }])
  await container.resolve(Modules.ORDER).deleteOrders([order.id])
  paymentServiceModule(container).logger.warn(
    `Payment Service: order #${order.display_id} (${order.id}) was removed: Medusa refused it for cart ${cartId}, ` +
      `and had not removed it`
  )
}

/** Core links an order to its cart and its collection at once: a killed one may have only the latter, which the cart needs again. */
async function freeCollection(
  container: MedusaContainer,
  { payment_collection_id }: CompletionMark,
  { id: order_id }: CompletedOrder
): Promise<void> {
  const link = { [Modules.ORDER]: { order_id }, [Modules.PAYMENT]: { payment_collection_id } }
  await container.resolve(ContainerRegistrationKeys.LINK).dismiss(link)
}

async function isComplete(
  container: MedusaContainer,
  { payment_collection_id }: CompletionMark,
  order: CompletedOrder
): Promise<boolean> {
  const { transactions } = paymentServiceModule(container)
  return hasReachedPayment(order) || (await transactions.isOrderKnown(payment_collection_id))
}

async function tellOf(
  container: MedusaContainer,
  { id, cart_id: cart }: CompletionMark,
  order: CompletedOrder
): Promise<void> {
  const { problems, transactions } = paymentServiceModule(container)
  const facts = {
    order: order.id,
    name: `#${order.display_id}`,
    cart,
    isLinked: order.cartId !== null,
  }
  const subject = { ...subjectOf(await transactions.get(id)), order_id: order.id }
  await problems.report(problem("order_half_made", facts), subject)
}
