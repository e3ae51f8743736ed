import { FetchError } from "@medusajs/js-sdk"
import { startPayment } from "medusa-payment-sbp-crypto-storefront"
import { config } from "../config"
import { reader, sdk } from "../medusa"
import { rememberedPayment } from "../remembered"

/**
 * Begins the payment of a cart; an open one of the same method and sum is resumed by the store.
 *
 * @throws the reader's error when the payment cannot be created
 */
export async function beginPayment(cartId: string, providerId: string): Promise<void> {
  const sessionId = await startPayment(reader, { cartId }, providerId)
  if (config.orderPlacement === "before_payment") {
    await placeOrder(cartId)
  }
  rememberedPayment.write({ sessionId, cartId })
}

/** Order first: the order is there before the money, and keeps the goods for it. */
async function placeOrder(cartId: string): Promise<void> {
  const answer = await sdk.store.cart.complete(cartId)
  if (answer.type === "cart") {
    // As a refusal of the shop, which is what it is: the goods may be sold out by now.
    throw new FetchError(answer.error.message, answer.error.name, 400)
  }
}
