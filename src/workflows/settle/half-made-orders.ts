import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import type {
  ICartModuleService,
  IOrderModuleService,
  IPaymentModuleService,
  MedusaContainer,
  RemoteQueryFunction,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { deleteReservationsByLineItemsWorkflow } from "@medusajs/medusa/core-flows"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import type { Mark, Placing } from "../../modules/payment-service/placings"
import { holdingCart } from "./holding-cart"

/**
 * Core makes an order first, then links it to its cart, reserves stock and asks us last. A process that dies
 * in between leaves an order that is no cart's or has no stock, and a retry goes on without what is missing.
 * So a completion is marked on its row while it goes on, and what one has left that was not seen to end is
 * taken back: before the next attempt, before its order is paid, or by the watcher.
 */

/** Core has made the order long before, however long it waited for the cart. */
const LONGEST_COMPLETION_MS = 10 * 60_000
/** An order that is younger than this may be another cart's with the same contents, just being made. */
const HALF_MADE_FOR_MS = 10_000
const AUTHORIZED = new Set<string>(["authorized", "captured", "pending_authorization"])
/** Whoever holds a cart longer than this is looked for in the next pass. */
const SWEEP_WAIT_MS = 1_000

/**
 * To be called before core completes a cart with this transaction.
 *
 * @param isHeld the cart is held by the caller
 * @param waitMs else: for a completion of the same cart that did not end, or goes on
 * @returns to be called when core has ended, with or without an order
 * @throws when the cart is not free in time
 */
export async function beginCompletion(
  container: MedusaContainer,
  row: Pick<Placing, "id" | "cart_id">,
  { isHeld = false, waitMs }: { isHeld?: boolean; waitMs?: number } = {}
): Promise<() => Promise<void>> {
  const { placings } = moduleOf(container)
  const origin = await originOf(container, row.cart_id)
  // By this process's clock, by which core will date the order.
  const markNow = () => ({ placing_at: new Date(), placing_of: { ...origin } })
  let mark = markNow()
  const unfinished = await placings.begin(row, mark)
  if (unfinished) {
    const tidyUp = () => takeBack(container, row.cart_id, unfinished)
    await (isHeld ? tidyUp() : holdingCart(container, row.cart_id, tidyUp, waitMs))
    await placings.end(row.cart_id, mark)
    mark = markNow()
    await placings.begin(row, mark)
  }
  return () => placings.end(row.cart_id, mark)
}

/**
 * To be called while the cart is held.
 *
 * @returns whether an order was taken back, so that the cart is to be completed anew
 */
export async function takeBackUnfinished(
  container: MedusaContainer,
  cartId: string
): Promise<boolean> {
  const unfinished = await moduleOf(container).placings.find(cartId)
  return unfinished !== null && (await takeBack(container, cartId, unfinished))
}

/** What nobody tried again to complete. */
export async function finishCompletions(container: MedusaContainer): Promise<void> {
  const { placings, logger } = moduleOf(container)
  for (const row of await placings.findUnfinished()) {
    try {
      await holdingCart(
        container,
        row.cart_id,
        () => takeBack(container, row.cart_id, row),
        SWEEP_WAIT_MS
      )
    } catch (error) {
      logger.warn(`Payment Service: cart ${row.cart_id} could not be looked at: ${reasonOf(error)}`)
    }
  }
}

/** Does what core would have done to roll back, had its process lived. While the cart is held, no order is in the making. */
async function takeBack(container: MedusaContainer, cartId: string, mark: Mark): Promise<boolean> {
  let halves = await findHalfMadeOrders(container, cartId, mark)
  const youngest = Math.max(...halves.map(({ created_at }) => new Date(created_at).getTime()))
  const early = youngest + HALF_MADE_FOR_MS - Date.now()
  if (early > 0) {
    await sleep(Math.min(early, HALF_MADE_FOR_MS))
    halves = await findHalfMadeOrders(container, cartId, mark)
  }
  for (const half of halves) {
    await removeOrder(container, cartId, half)
  }
  await moduleOf(container).placings.end(cartId, mark)
  return halves.length > 0
}

async function removeOrder(
  container: MedusaContainer,
  cartId: string,
  half: HalfMadeOrder
): Promise<void> {
  await deleteReservationsByLineItemsWorkflow(container).run({
    input: { ids: half.items.map(({ id }) => id) },
  })
  const order = { [Modules.ORDER]: { order_id: half.id } }
  await container.resolve(ContainerRegistrationKeys.LINK).dismiss([
    { ...order, [Modules.CART]: { cart_id: cartId } },
    ...half.payment_collections.map(({ id }) => ({
      ...order,
      [Modules.PAYMENT]: { payment_collection_id: id },
    })),
  ])
  await container
    .resolve<ICartModuleService>(Modules.CART)
    .updateCarts([{ id: cartId, completed_at: null }])
  await container.resolve<IOrderModuleService>(Modules.ORDER).softDeleteOrders([half.id])
  moduleOf(container).logger.warn(
    `Payment Service: order ${half.id} was removed: the process that made it of cart ${cartId} died before it was complete`
  )
}

/** Medusa's amounts come as numbers or as objects that turn into one. */
interface Line {
  id: string
  variant_id: string | null
  title: string
  quantity: unknown
  unit_price: unknown
}

interface Sale {
  email: string | null
  currency_code: string
  customer_id: string | null
  region_id: string | null
  sales_channel_id: string | null
  items: Line[]
  shipping_methods: { shipping_option_id: string | null }[]
}

interface HalfMadeOrder extends Sale {
  id: string
  created_at: string | Date
  payment_collections: { id: string; payments?: unknown[] }[]
  transactions?: unknown[]
  fulfillments?: unknown[]
}

/** By what an order is told that was made from a cart; nothing about a person is kept. */
interface Origin {
  customerId: string | null
  collectionId: string | null
  /** Of what the order has of the cart: who bought, where, what, and how it is sent. */
  digest: string
}

// Named one by one, items of an order come without their quantity.
const SALE = [
  "email",
  "currency_code",
  "customer_id",
  "region_id",
  "sales_channel_id",
  "items.*",
  "shipping_methods.shipping_option_id",
]

async function originOf(container: MedusaContainer, cartId: string): Promise<Origin> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "cart",
    fields: [...SALE, "payment_collection.id"],
    filters: { id: cartId },
  })
  const cart = data[0] as unknown as
    (Sale & { payment_collection?: { id: string } | null }) | undefined
  return {
    customerId: cart?.customer_id ?? null,
    collectionId: cart?.payment_collection?.id ?? null,
    digest: cart ? digestOf(cart) : "",
  }
}

function digestOf({ items, shipping_methods, ...sale }: Sale): string {
  const { email, currency_code, customer_id, region_id, sales_channel_id } = sale
  const lines = items.map(({ variant_id, title, quantity, unit_price }) =>
    JSON.stringify([variant_id, title, Number(quantity), Number(unit_price)])
  )
  const ways = shipping_methods.map(({ shipping_option_id }) => shipping_option_id ?? "")
  const parts = [email, currency_code, customer_id, region_id, sales_channel_id]
  return createHash("sha256")
    .update(JSON.stringify([parts, lines.sort(), ways.sort()]))
    .digest("hex")
}

/**
 * Orders made from what the cart was when its completion began, untouched since, that are no other cart's and
 * at most this cart's collection's. None when the cart has another order, or core has got as far as to us.
 */
async function findHalfMadeOrders(
  container: MedusaContainer,
  cartId: string,
  { placing_at: since, placing_of }: Mark
): Promise<HalfMadeOrder[]> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { customerId, collectionId, digest } = placing_of as unknown as Origin
  // An order without a customer could be anybody's.
  if (!customerId || (await hasReachedUs(container, collectionId))) {
    return []
  }
  const { data: orders } = await query.graph({
    entity: "order",
    fields: [
      "created_at",
      "payment_collections.id",
      "payment_collections.payments.id",
      "transactions.id",
      "fulfillments.id",
      ...SALE,
    ],
    filters: {
      ...{ customer_id: customerId, is_draft_order: false, status: "pending", canceled_at: null },
      created_at: { $gte: since, $lte: new Date(since.getTime() + LONGEST_COMPLETION_MS) },
    },
  })
  const alike = (orders as unknown as HalfMadeOrder[]).filter(
    (order) =>
      digestOf(order) === digest &&
      !order.transactions?.length &&
      !order.fulfillments?.length &&
      order.payment_collections.every(
        ({ id, payments }) => id === collectionId && !payments?.length
      )
  )
  const { data } = await query.graph({
    entity: "order_cart",
    fields: ["order_id", "cart_id"],
    filters: { $or: [{ cart_id: cartId }, { order_id: alike.map(({ id }) => id) }] },
  })
  const links = data as { order_id: string; cart_id: string }[]
  const isOther = links.some(
    ({ order_id, cart_id }) => cart_id === cartId && !alike.some(({ id }) => id === order_id)
  )
  return isOther
    ? []
    : alike.filter(
        ({ id }) => !links.some(({ order_id, cart_id }) => order_id === id && cart_id !== cartId)
      )
}

/** Core has authorized a session, ours or another's, or has told of the order: it has done all before that. */
async function hasReachedUs(
  container: MedusaContainer,
  collectionId: string | null
): Promise<boolean> {
  if (!collectionId) {
    return false
  }
  const sessions = await container
    .resolve<IPaymentModuleService>(Modules.PAYMENT)
    .listPaymentSessions({ payment_collection_id: collectionId })
  return (
    sessions.some(({ status }) => AUTHORIZED.has(status)) ||
    (await moduleOf(container).transactions.isOrderKnown(collectionId))
  )
}

function moduleOf(container: MedusaContainer): PaymentServiceModuleService {
  return container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
}
