import { randomUUID } from "node:crypto"

import type {
  ICartModuleService,
  IOrderModuleService,
  MedusaContainer,
  RemoteQueryFunction,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { deleteReservationsByLineItemsWorkflow } from "@medusajs/medusa/core-flows"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import {
  COMPLETION_ID,
  type Completion,
  type Placing,
} from "../../modules/payment-service/placings"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { holdingCart } from "./holding-cart"
import { giveBackUse, type PromotedOrder, usesOfCart } from "./promotion-use"
import { tellPlaced } from "./tell-placed"

/**
 * Core makes an order first, then links it to its cart, reserves stock and uses promotions, asks us last, and
 * tells of the order when all of that has ended. A process that dies in between leaves an order that is no
 * cart's or has no stock, or one that nobody was told of. So a completion is marked on its row while it goes
 * on, its order carries its id, and an order with the id of a completion that was not seen to end is taken
 * back, or told of: before the next attempt, before it is paid, or by the watcher. An order without an id is
 * left alone.
 */

const AUTHORIZED = new Set<string>(["authorized", "captured", "pending_authorization"])
/** The clock that dates an order's id is its process's, the mark's is the database's. */
const CLOCKS_DIFFER_MS = 60 * 60_000
const ULID_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const ULID_TIME_DIGITS = 10
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
  const { placings } = moduleOf(container)
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
  const { placings } = moduleOf(container)
  let isTakenBack = false
  for (const mark of await placings.find(cartId)) {
    const hasEnded = mark.isOld || mark.placing_of.isHeld !== false
    const order = await findOrderOf(container, mark)
    if (order && !order.isWhole) {
      await takeBack(container, cartId, order, mark.placing_of.uses ?? {})
      isTakenBack = true
    } else if (!hasEnded) {
      continue
    } else if (order && !order.canceled_at) {
      await tellPlaced(container, order.id, mark.payment_collection_id)
    }
    await placings.end(mark)
  }
  return isTakenBack
}

/** Completions that nobody tried again. */
export async function finishCompletions(container: MedusaContainer): Promise<void> {
  const { placings, logger } = moduleOf(container)
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
  moduleOf(container).logger.warn(
    `Payment Service: order #${order.display_id} (${order.id}) was removed: the process that made it of ` +
      `cart ${cartId} died before it was complete, and nobody was told of it`
  )
}

/** The order that a completion made. */
interface CompletedOrder extends PromotedOrder {
  id: string
  display_id: number
  status: string
  canceled_at: unknown
  created_at: string | Date
  items: (PromotedOrder["items"][number] & { id: string })[]
  promotions: { id: string }[]
  payment_collections: {
    id: string
    payment_sessions?: { status: string; authorized_at: string | Date | null }[]
  }[]
  transactions?: unknown[]
  fulfillments?: unknown[]
  /** Core has done all that it does before it tells of an order. */
  isWhole: boolean
}

const ORDER_FIELDS = [
  "display_id",
  "status",
  "canceled_at",
  "created_at",
  "customer_id",
  "email",
  "items.id",
  "items.adjustments.*",
  "shipping_methods.adjustments.*",
  "promotions.id",
  "payment_collections.id",
  "payment_collections.payment_sessions.status",
  "payment_collections.payment_sessions.authorized_at",
  "transactions.id",
  "fulfillments.id",
]

/** The order with the id of this completion, unless it is not to be told from a copy of it. */
async function findOrderOf(
  container: MedusaContainer,
  { cart_id: cartId, payment_collection_id: collectionId, placing_at, placing_of }: Placing
): Promise<CompletedOrder | null> {
  if (!placing_of.id) {
    return null
  }
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "order",
    fields: ORDER_FIELDS,
    filters: {
      id: { $gte: orderIdAt(placing_at.getTime() - CLOCKS_DIFFER_MS) },
      metadata: { [COMPLETION_ID]: placing_of.id },
    },
  })
  const found = data as unknown as Omit<CompletedOrder, "isWhole">[]
  const links = await query.graph({
    entity: "order_cart",
    fields: ["order_id", "cart_id"],
    filters: { order_id: found.map(({ id }) => id) },
  })
  const cartOf = new Map(
    (links.data as { order_id: string; cart_id: string }[]).map((link) => [
      link.order_id,
      link.cart_id,
    ])
  )
  const linked = found.find(({ id }) => cartOf.get(id) === cartId)
  if (linked) {
    const { transactions } = moduleOf(container)
    const isWhole = hasReachedUs(linked) || (await transactions.isOrderKnown(collectionId))
    return { ...linked, isWhole }
  }
  const [order, ...copies] = found.filter(({ id }) => !cartOf.has(id))
  return order && !copies.length && !isInUse(order) ? { ...order, isWhole: false } : null
}

/**
 * Ids of Medusa's begin with the moment at which they were made (they are ULIDs): by them the latest orders are
 * found in the index, where a search in the metadata alone would go through all orders.
 */
function orderIdAt(ms: number): string {
  let digits = ""
  for (let rest = ms; digits.length < ULID_TIME_DIGITS; rest = Math.floor(rest / 32)) {
    digits = `${ULID_DIGITS[rest % 32] ?? ""}${digits}`
  }
  return `order_${digits}`
}

/** Core asks for the payment last, when the rest is done: since then the session is authorized. */
function hasReachedUs(order: Omit<CompletedOrder, "isWhole">): boolean {
  const made = new Date(order.created_at)
  return (
    isInUse(order) ||
    order.payment_collections
      .flatMap(({ payment_sessions = [] }) => payment_sessions)
      .some(
        ({ status, authorized_at }) =>
          AUTHORIZED.has(status) && (!authorized_at || new Date(authorized_at) >= made)
      )
  )
}

function isInUse({
  status,
  transactions,
  fulfillments,
}: Pick<CompletedOrder, "status" | "transactions" | "fulfillments">): boolean {
  return status !== "pending" || Boolean(transactions?.length || fulfillments?.length)
}

function moduleOf(container: MedusaContainer): PaymentServiceModuleService {
  return container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
}
