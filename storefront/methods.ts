interface Offer {
  /** The payer's phone scans its QR code, which wide screens show at once. Without it, the payer needs the service's page. */
  isScanned?: boolean
  isInUsdt?: boolean
}

/** The methods, and how the panels offer each. A method's name and hint are texts, `sbp` and `sbpHint` for example. */
const METHODS = {
  sbp: { isScanned: true },
  crypto: { isInUsdt: true },
}
export type Method = keyof typeof METHODS

const offers: Partial<Record<string, Offer>> = METHODS

/** How the panels offer a method, also one that only a newer store knows. */
export const offerOf = (method: Method): Offer => offers[method] ?? {}

/** The method in one of the plugin's provider ids, `pp_sbp_<account>` for example; null for others. */
export function methodOf(providerId: string | null | undefined): Method | null {
  const isIts = (method: string): method is Method => `${providerId}_`.startsWith(`pp_${method}_`)
  return Object.keys(METHODS).find(isIts) ?? null
}

export interface SessionLike {
  id: string
  provider_id: string
  status: string
}

export interface CollectionLike {
  id?: string
  payment_sessions?: SessionLike[] | null
}

/** A cart, an order or a payment collection from the store API. */
export interface PaidFor extends CollectionLike {
  payment_collection?: CollectionLike | null
  payment_collections?: CollectionLike[] | null
}

/** Core's statuses of a session that may still be paid; the last is for an order placed before its payment. */
const OPEN = ["pending", "requires_more", "pending_authorization"]

/** Whether core's status says that a session may still be paid. */
export function isOpen({ status }: SessionLike): boolean {
  return OPEN.includes(status)
}

/** Finds the latest payment of a cart, order or payment collection that was begun with this plugin and may still be paid. */
export function openSession(of: PaidFor | null | undefined): SessionLike | null {
  const collections = [of, of?.payment_collection, ...(of?.payment_collections ?? [])]
  return (
    collections
      .flatMap((collection) => collection?.payment_sessions ?? [])
      .filter((session) => methodOf(session.provider_id) && isOpen(session))
      .at(-1) ?? null
  )
}
