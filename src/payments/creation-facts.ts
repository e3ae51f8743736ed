import type { Buyer } from "../medusa/buyer"
import type { AccountOptions, PaymentServiceModuleService } from "../modules/payment-service"
import { refusedPayment } from "../refusals/refused"
import type { CreateTransactionRequest } from "../service/client"

/** Longer descriptions are cut, so that no bank or service refuses them. Payers read them in a bank's app. */
const LONGEST_DESCRIPTION = 200

/**
 * The metadata about the payer that the options `payer.*` send to the service. The service may disable a merchant that must send an
 * id and does not.
 *
 * @throws MedusaError `INVALID_DATA` when an id is required and nothing is known to make it from
 */
export function payerMetadata(
  options: AccountOptions,
  { payer, payerName }: Pick<Buyer, "payerName"> & { payer: string | null },
  clientIp: string | null
): CreateTransactionRequest["metadata"] {
  if (!payer && options.payer.userId === "required") throw refusedPayment("needs_email")
  return {
    userId: payer ?? undefined,
    userName: (options.payer.name && payerName) || undefined,
    clientIp: (options.payer.ip !== "off" && clientIp) || undefined,
  }
}

/**
 * A stable id of the payer, made on the server: the customer's own id, or a keyed digest of a guest's e-mail. Null when neither
 * is known.
 */
export async function payerId(
  { customerId, isGuest, email }: Pick<Buyer, "customerId" | "isGuest" | "email">,
  module: PaymentServiceModuleService
): Promise<string | null> {
  if (customerId && !isGuest) return customerId
  return email ? await module.guestPayerId(email) : null
}

/**
 * Fills the option `description`: `{store}`, `{items}`. Stores may still have `{cart_id}`, of which nothing is left: the service, and
 * payers in another browser, are told no id for which the store API answers who the customer is.
 */
export function describePayment(
  template: string,
  origin: Pick<Buyer, "items"> & { storeName: string; sum: string }
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
