import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

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
import { reasonOf } from "../../modules/payment-service/reason-of"
import type { Mark, Placing } from "../../modules/payment-service/placings"
import { holdingCart } from "./holding-cart"
import { loadOrder } from "./load-medusa-state"
import { tellPlaced } from "./tell-placed"

/**
 * Core makes an order first and links it to its cart afterwards. A process that dies in between leaves an
 * order that belongs to nobody, with stock reserved for it, and the next completion of the cart makes
 * another one. So a completion is marked on its row while it goes on, and what was not seen to end is looked
 * for: before the next attempt, or by the watcher.
 */

/** Core has made the order long before, however long it waited for the cart. */
const LONGEST_COMPLETION_MS = 10 * 60_000
/** An order that is younger than this may be another cart's with the same contents, just being made. */
const HALF_MADE_FOR_MS = 10_000
/** Whoever holds a cart longer than this is looked for in the next pass. */
const SWEEP_WAIT_MS = 1_000

/**
 * To be called before core completes a cart with this transaction.
 *
 * @param waitMs for a completion of the same cart that did not end, or goes on
 * @returns to be called when core has ended, with or without an order
 * @throws when the cart is not free in time
 */
export async function beginCompletion(
  container: MedusaContainer,
  row: Pick<Placing, "id" | "cart_id">,
  waitMs?: number
): Promise<() => Promise<void>> {
  const { placings } = moduleOf(container)
  const origin = await originOf(container, row.cart_id)
  // By this process's clock, by which core will date the order.
  const markNow = () => ({ placing_at: new Date(), placing_of: { ...origin } })
  let mark = markNow()
  const unfinished = await placings.begin(row, mark)
  if (unfinished) {
    const look = () => takeBack(container, row.cart_id, unfinished)
    await holdingCart(container, row.cart_id, look, waitMs)
    await placings.end(row.cart_id, unfinished)
    mark = markNow()
    await placings.begin(row, mark)
  }
  return () => placings.end(row.cart_id, mark)
}

/** What nobody tried again to complete. */
export async function finishCompletions(container: MedusaContainer): Promise<void> {
  const { placings, logger } = moduleOf(container)
  for (const row of await placings.findUnfinished()) {
    const finish = async () => {
      await takeBack(container, row.cart_id, row)
      await keepPromise(container, row.id)
    }
    try {
      await holdingCart(container, row.cart_id, finish, SWEEP_WAIT_MS)
      await placings.end(row.cart_id, row)
    } catch (error) {
      logger.warn(`Payment Service: cart ${row.cart_id} could not be looked at: ${reasonOf(error)}`)
    }
  }
}

/** Order first: core had linked the order, and had no time to ask us or to tell of it. */
async function keepPromise(container: MedusaContainer, rowId: string): Promise<void> {
  const module = moduleOf(container)
  const row = await module.retrieveTransaction(rowId)
  const order = await loadOrder(container, row)
  const isPromised = module.findOptionsForRow(row)?.orderPlacement === "before_payment"
  if (order && !order.canceled && row.order_id === null && row.state !== "paid" && isPromised) {
    await module.transactions.markDeferred(row.id)
    await tellPlaced(container, row, order.id)
  }
}

/** Does what core would have done to roll back, had its process lived. While the cart is held, no order is in the making. */
async function takeBack(container: MedusaContainer, cartId: string, mark: Mark): Promise<void> {
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
}

async function removeOrder(
  container: MedusaContainer,
  cartId: string,
  half: HalfMadeOrder
): Promise<void> {
  await deleteReservationsByLineItemsWorkflow(container).run({
    input: { ids: half.items.map(({ id }) => id) },
  })
  await container.resolve(ContainerRegistrationKeys.LINK).dismiss(
    half.payment_collections.map(({ id }) => ({
      [Modules.ORDER]: { order_id: half.id },
      [Modules.PAYMENT]: { payment_collection_id: id },
    }))
  )
  await container
    .resolve<ICartModuleService>(Modules.CART)
    .updateCarts([{ id: cartId, completed_at: null }])
  await container.resolve<IOrderModuleService>(Modules.ORDER).softDeleteOrders([half.id])
  moduleOf(container).logger.warn(
    `Payment Service: order ${half.id} was removed: the process that made it died before it belonged to cart ${cartId}`
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
 * Orders made from what the cart was when its completion began, untouched since, that are no cart's and at most this cart's collection's. None when the cart has an order.
 */
async function findHalfMadeOrders(
  container: MedusaContainer,
  cartId: string,
  { placing_at: since, placing_of }: Mark
): Promise<HalfMadeOrder[]> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const linked = async (filters: object) => {
    const { data } = await query.graph({ entity: "order_cart", fields: ["order_id"], filters })
    return (data as { order_id: string }[]).map(({ order_id }) => order_id)
  }
  const { customerId, collectionId, digest } = placing_of as unknown as Origin
  // An order without a customer could be anybody's.
  if (!customerId || (await linked({ cart_id: cartId })).length) {
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
  const placed = alike.length ? await linked({ order_id: alike.map(({ id }) => id) }) : []
  return alike.filter(({ id }) => !placed.includes(id))
}

function moduleOf(container: MedusaContainer): PaymentServiceModuleService {
  return container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
}
