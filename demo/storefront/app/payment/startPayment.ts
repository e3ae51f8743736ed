import { FetchError } from "@medusajs/js-sdk"
import { config, serverNow } from "../config"
import { sdk, type Cart } from "../medusa"
import { rememberedPayment } from "../remembered"
import { openSession } from "./methods"
import { readSessionStatus, type SessionStatus } from "./sessionStatus"

/** A payment with less time left than this is not worth resuming. */
const WORTH_RESUMING_MS = 20_000

/**
 * Begins a payment and returns its session's id. An open payment of the same method is resumed rather than replaced, and one that
 * has just been paid is returned as it is, so that nobody pays twice.
 *
 * @throws FetchError with the shop's sentence when the payment cannot be created
 */
export async function startPayment(cart: Cart, providerId: string): Promise<string> {
  const existing = openSession(cart)
  if (existing) {
    const status = await statusIfReadable(existing.id)
    const sameMethod = existing.provider_id === providerId
    if (status && (tookMoney(status) || (sameMethod && isWorthResuming(status)))) {
      return remember(existing.id, cart.id)
    }
  }
  const before = new Set((cart.payment_collection?.payment_sessions ?? []).map(({ id }) => id))
  const { payment_collection: collection } = await sdk.store.payment.initiatePaymentSession(cart, {
    provider_id: providerId,
  })
  const sessionId = newSession(collection.payment_sessions ?? [], providerId, before)
  if (config.orderPlacement === "before_payment") {
    await placeOrder(cart.id)
  }
  return remember(sessionId, cart.id)
}

/** Order first: the order is there before the money, and keeps the goods for it. */
async function placeOrder(cartId: string): Promise<void> {
  const answer = await sdk.store.cart.complete(cartId)
  if (answer.type === "cart") {
    // As a refusal of the shop, which is what it is: the goods may be sold out by now.
    throw new FetchError(answer.error.message, answer.error.name, 400)
  }
}

/** Pays an order that was placed before its payment arrived ("order first"), through the order's own collection. */
export async function startOrderPayment(orderId: string, providerId: string): Promise<string> {
  const { order } = await sdk.store.order.retrieve(orderId)
  const collection = order.payment_collections?.at(-1)
  if (!collection) {
    throw new Error(`Order ${orderId} has no payment collection`)
  }
  const { payment_collection: filled } = await sdk.client.fetch<{
    payment_collection: { payment_sessions?: { id: string; provider_id: string }[] }
  }>(`/store/payment-collections/${encodeURIComponent(collection.id)}/payment-sessions`, {
    method: "POST",
    body: { provider_id: providerId },
  })
  return remember(newSession(filled.payment_sessions ?? [], providerId, new Set()), null)
}

function newSession(
  sessions: { id: string; provider_id: string }[],
  providerId: string,
  before: Set<string>
): string {
  const ours = sessions.filter((session) => session.provider_id === providerId)
  const created = ours.find((session) => !before.has(session.id)) ?? ours.at(-1)
  if (!created) {
    throw new Error(`The shop created no session for ${providerId}`)
  }
  return created.id
}

function remember(sessionId: string, cartId: string | null): string {
  rememberedPayment.write({ sessionId, cartId })
  return sessionId
}

async function statusIfReadable(sessionId: string): Promise<SessionStatus | null> {
  try {
    return await readSessionStatus(sessionId)
  } catch {
    return null
  }
}

function tookMoney({ state }: SessionStatus): boolean {
  return state === "paid" || state === "problem"
}

function isWorthResuming({ state, expires_at: expiresAt }: SessionStatus): boolean {
  if (state !== "pending") {
    return false
  }
  return expiresAt === null || Date.parse(expiresAt) - serverNow() > WORTH_RESUMING_MS
}
