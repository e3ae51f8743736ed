import type { SessionOrigin } from "./store"

/** A payer reads this in a bank's app: long baskets are cut rather than refused by somebody. */
const LONGEST_DESCRIPTION = 200

/** Fills the option `description`: `{store}`, `{cart_id}`, `{items}`. */
export function describePayment(template: string, origin: SessionOrigin): string {
  const values: Record<string, string> = {
    store: origin.storeName,
    cart_id: origin.cartId ?? origin.orderId ?? origin.paymentCollectionId,
    items: origin.items
      .map(({ title, quantity }) => (quantity > 1 ? `${title} × ${quantity}` : title))
      .join(", "),
  }
  const filled = template
    .replace(/\{(store|cart_id|items)\}/g, (_, name: string) => values[name] ?? "")
    .replace(/^[\s:,-]+|[\s:,-]+$/g, "")
  const text = filled || origin.paymentCollectionId
  const characters = [...text]
  return characters.length > LONGEST_DESCRIPTION
    ? `${characters.slice(0, LONGEST_DESCRIPTION - 1).join("")}…`
    : text
}
