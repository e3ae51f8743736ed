import { setTimeout as sleep } from "node:timers/promises"

import type {
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
import { holdingCart } from "./holding-cart"

/**
 * Core makes an order first and links it to its cart afterwards. A process that dies in between leaves an
 * order that belongs to nobody, with stock reserved for it, and the next completion of the cart makes
 * another one. So it is written down when a cart is to be completed, and what was not seen to end is looked
 * for: before the next attempt, or by the watcher.
 */

/** Core has made the order long before, however long it waited for the cart. */
const LONGEST_COMPLETION_MS = 10 * 60_000
/** An order that is younger than this may be another cart's with the same contents, just being made. */
const HALF_MADE_FOR_MS = 10_000

/** To be called before core completes a cart with this transaction. */
export async function prepareCompletion(
  container: MedusaContainer,
  rowId: string,
  cartId: string
): Promise<void> {
  const { transactions } = moduleOf(container)
  const unfinishedSince = await transactions.beginPlacing(rowId)
  if (unfinishedSince) {
    await removeHalfMadeOrders(container, cartId, unfinishedSince)
  }
}

/** What nobody tried again to complete. */
export async function removeForgottenHalves(container: MedusaContainer): Promise<void> {
  const { transactions, logger } = moduleOf(container)
  for (const { id, cart_id, placing_at } of await transactions.findUnfinishedPlacings()) {
    try {
      await removeHalfMadeOrders(container, cart_id, placing_at)
      await transactions.endPlacing(id)
    } catch (error) {
      logger.error(`Payment Service: cart ${cart_id} could not be looked at: ${reasonOf(error)}`)
    }
  }
}

/** Does what core would have done to roll back, had its process lived. While the cart is held, none is in the making. */
async function removeHalfMadeOrders(
  container: MedusaContainer,
  cartId: string,
  since: Date
): Promise<void> {
  await holdingCart(container, cartId, async () => {
    let halves = await findHalfMadeOrders(container, cartId, since)
    const youngest = Math.max(...halves.map(({ created_at }) => new Date(created_at).getTime()))
    const early = youngest + HALF_MADE_FOR_MS - Date.now()
    if (early > 0) {
      await sleep(Math.min(early, HALF_MADE_FOR_MS))
      halves = await findHalfMadeOrders(container, cartId, since)
    }
    for (const half of halves) {
      await removeOrder(container, half)
    }
  })
}

async function removeOrder(container: MedusaContainer, half: HalfMadeOrder): Promise<void> {
  await deleteReservationsByLineItemsWorkflow(container).run({
    input: { ids: half.items.map(({ id }) => id) },
  })
  await container.resolve(ContainerRegistrationKeys.LINK).dismiss(
    half.payment_collections.map(({ id }) => ({
      [Modules.ORDER]: { order_id: half.id },
      [Modules.PAYMENT]: { payment_collection_id: id },
    }))
  )
  await container.resolve<IOrderModuleService>(Modules.ORDER).softDeleteOrders([half.id])
  moduleOf(container).logger.warn(
    `Payment Service: order ${half.id} was removed: the process that made it died before it belonged to its cart`
  )
}

interface Line {
  id: string
  variant_id: string | null
  title: string
  /** Medusa's amounts come as numbers or as objects that turn into one. */
  quantity: unknown
}

interface Contents {
  id: string
  email: string | null
  currency_code: string
  customer_id: string | null
  region_id: string | null
  sales_channel_id: string | null
  items: Line[]
}

interface HalfMadeOrder extends Contents {
  created_at: string | Date
  payment_collections: { id: string }[]
}

/** Orders of the cart's buyer with the cart's contents that are no cart's, and nobody else's collection's. */
async function findHalfMadeOrders(
  container: MedusaContainer,
  cartId: string,
  since: Date
): Promise<HalfMadeOrder[]> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { data: carts } = await query.graph({
    entity: "cart",
    fields: [
      "email",
      "currency_code",
      "customer_id",
      "region_id",
      "sales_channel_id",
      "payment_collection.id",
      // Named one by one, those of an order come without their quantity.
      "items.*",
    ],
    filters: { id: cartId },
  })
  const cart = carts[0] as unknown as
    (Contents & { payment_collection?: { id: string } | null }) | undefined
  if (!cart?.email) {
    return []
  }
  const { email, currency_code, customer_id, region_id, sales_channel_id } = cart
  const { data: orders } = await query.graph({
    entity: "order",
    fields: ["created_at", "payment_collections.id", "items.*"],
    filters: {
      ...{ email, currency_code, customer_id, region_id, sales_channel_id },
      ...{ is_draft_order: false, canceled_at: null },
      created_at: { $gte: since, $lte: new Date(since.getTime() + LONGEST_COMPLETION_MS) },
    },
  })
  const alike = (orders as unknown as HalfMadeOrder[]).filter(
    (order) =>
      contentsOf(order) === contentsOf(cart) &&
      order.payment_collections.every(({ id }) => id === cart.payment_collection?.id)
  )
  if (!alike.length) {
    return []
  }
  const { data: links } = await query.graph({
    entity: "order_cart",
    fields: ["order_id"],
    filters: { order_id: alike.map(({ id }) => id) },
  })
  const placed = new Set((links as { order_id: string }[]).map(({ order_id }) => order_id))
  return alike.filter(({ id }) => !placed.has(id))
}

function contentsOf({ items }: Contents): string {
  return JSON.stringify(
    items
      .map(({ variant_id, title, quantity }) => `${variant_id} ${title} ${Number(quantity)}`)
      .sort()
  )
}

function moduleOf(container: MedusaContainer): PaymentServiceModuleService {
  return container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
}
