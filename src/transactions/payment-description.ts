import type { Buyer } from "../medusa/buyer"
import type { SessionOrigin } from "./session-origin"

/** Longer descriptions are cut, so that no bank or service refuses them. Payers read them in a bank's app. */
const LONGEST_DESCRIPTION = 200

/** Fills the option `description`: `{store}`, `{cart_id}`, `{items}`. */
export function describePayment(
  template: string,
  origin: Pick<SessionOrigin, "paymentCollectionId" | "cartId" | "order" | "storeName"> &
    Pick<Buyer, "items">
): string {
  const values: Record<string, string> = {
    store: origin.storeName,
    cart_id: origin.cartId ?? origin.order?.id ?? origin.paymentCollectionId,
    items: origin.items
      .map(({ title, quantity }) => (quantity > 1 ? `${title} × ${quantity}` : title))
      .join(", "),
  }
  const filled = template
    .replace(/\{(store|cart_id|items)\}/g, (_, name: string) => values[name] ?? "")
    .replace(/^[\s:,-]+|[\s:,-]+$/g, "")
  const text = filled || origin.paymentCollectionId
  if (text.length <= LONGEST_DESCRIPTION) return text
  // The text is cut between characters as a reader sees them, never inside an emoji or an accent.
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  let cut = ""
  for (const character of characters) {
    if (cut.length + character.length >= LONGEST_DESCRIPTION) break
    cut += character
  }
  return `${cut}…`
}
