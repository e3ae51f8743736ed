import type { Buyer } from "../medusa/buyer"
import type { SessionOrigin } from "./session-origin"

/** Longer descriptions are cut, so that no bank or service refuses them. Payers read them in a bank's app. */
const LONGEST_DESCRIPTION = 200

/**
 * Fills the option `description`: `{store}`, `{items}`. Stores may still have `{cart_id}`, of which nothing is left: the service, and
 * payers in another browser, are told no id for which the store API answers who the customer is.
 */
export function describePayment(
  template: string,
  origin: Pick<SessionOrigin, "storeName"> & Pick<Buyer, "items"> & { sum: string }
): string {
  const values: Record<string, string> = {
    store: origin.storeName,
    items: origin.items
      .map(({ title, quantity }) => (quantity > 1 ? `${title} × ${quantity}` : title))
      .join(", "),
  }
  const filled = template
    .replace(/\s?(?:\(\{cart_id\}\)|\{cart_id\})/g, "")
    .replace(/\{(store|items)\}/g, (_, name: string) => values[name] ?? "")
    .replace(/^[\s:,-]+|[\s:,-]+$/g, "")
  const text = filled || origin.sum
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
