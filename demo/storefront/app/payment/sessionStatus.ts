import { sdk } from "../medusa"

export type PaymentState = "pending" | "paid" | "canceled" | "expired" | "problem"

/** What `GET /store/payment-service/sessions/:id` tells about a payment. It is the only thing believed here. */
export interface SessionStatus {
  id: string
  state: PaymentState
  /** There before the money in "order first" mode, so an order alone does not mean paid. */
  order_id: string | null
  redirect: string | null
  qr: string | null
  expires_at: string | null
  method: "sbp" | "crypto"
  amount: number | string
  currency: string
}

const TIMEOUT_MS = 10_000

/** Reads a payment's state; aborts itself after ten seconds. */
export async function readSessionStatus(
  id: string,
  abort = new AbortController()
): Promise<SessionStatus> {
  const timer = window.setTimeout(() => abort.abort(), TIMEOUT_MS)
  try {
    const { session } = await sdk.client.fetch<{ session: SessionStatus }>(
      `/store/payment-service/sessions/${encodeURIComponent(id)}`,
      { cache: "no-store", signal: abort.signal }
    )
    return session
  } finally {
    window.clearTimeout(timer)
  }
}

/** An id from the address bar goes into a request's path: letters, digits, `_` and `-` cannot lead elsewhere. */
export function plainId(id: string | null | undefined): string | null {
  return id && /^[A-Za-z0-9_-]{1,128}$/.test(id) ? id : null
}
