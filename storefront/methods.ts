import type { Method } from "./payment-status.js"

/** The method behind one of the plugin's provider ids, `pp_sbp_<account>` or `pp_crypto_<account>`; null for others. */
export function methodOf(providerId: string | null | undefined): Method | null {
  const [, method] = /^pp_(sbp|crypto)(?:_|$)/.exec(providerId ?? "") ?? []
  return method === "sbp" || method === "crypto" ? method : null
}

export interface SessionLike {
  id: string
  provider_id: string
  status: string
}

export interface CollectionLike {
  payment_sessions?: SessionLike[] | null
}

/** A cart, an order or a payment collection, as the store API gives them. */
export interface PaidFor extends CollectionLike {
  payment_collection?: CollectionLike | null
  payment_collections?: CollectionLike[] | null
}

/** Core's words for a session that may still be paid; the last is that of an order placed before its payment. */
const OPEN = ["pending", "requires_more", "pending_authorization"]

/** Whether a session may still be paid, by core's word. */
export function isOpen({ status }: SessionLike): boolean {
  return OPEN.includes(status)
}

/**
 * Finds the payment of a cart, order or payment collection that was begun with this plugin and may still be paid; the
 * latest, if there are several.
 */
export function openSession(of: PaidFor | null | undefined): SessionLike | null {
  const collections = [of, of?.payment_collection, ...(of?.payment_collections ?? [])]
  return (
    collections
      .flatMap((collection) => collection?.payment_sessions ?? [])
      .filter((session) => methodOf(session.provider_id) && isOpen(session))
      .at(-1) ?? null
  )
}
