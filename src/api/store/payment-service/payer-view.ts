import { needsPerson } from "../../../settlement/standing"
import type { PayerRow, TransactionRow } from "../../../modules/payment-service"
import { toWireAmount } from "../../../settlement/amount"

export type PayerState = "pending" | "paid" | "canceled" | "expired" | "problem"

const REFERENCE_LENGTH = 8

/**
 * The answer to the storefront's poll. The return page uses the same states.
 *
 * @param sessionId the session that the payer has, which may be an earlier one, or that of another attempt
 */
export function payerView(row: PayerRow, sessionId: string, now: Date) {
  const state = payerState(row)
  const view = {
    id: sessionId,
    state,
    order_id: row.order_id,
    /** The payment page. */
    redirect: row.redirect,
    /** The service's QR data: text or an address; null until the first read. */
    qr: row.qr,
    expires_at: row.expires_at?.toISOString() ?? null,
    method: row.method,
    amount: row.amount,
    currency: row.currency,
    /** As the service's creation gave it; which way it counts is not shown. */
    usdt_rate: row.figures?.usdt_rate ?? null,
    /** When the money was first seen. */
    paid_at: row.paid_at?.toISOString() ?? null,
    /** A short number that the dashboard's search finds; null until the service has given an id. */
    reference: row.transaction_id?.slice(0, REFERENCE_LENGTH) ?? null,
    /** A further attempt needs only these two, and neither cookie nor cart. */
    provider_id: row.provider_id,
    payment_collection_id: row.payment_collection_id,
    /** Whether a further attempt is possible. */
    payable_again: state === "canceled" || (state === "expired" && !isOrderLapsed(row)),
    /** This store's time, on which a countdown is based. */
    server_time: now.toISOString(),
  }
  const { sum_since: sum, currency_since: currency } = row
  if (sum === null || currency === null) return view
  // The cart has changed or another way to pay was chosen since, and `amount` is what is to be paid now.
  return {
    ...view,
    state: "replaced",
    order_id: row.order_since,
    redirect: null,
    qr: null,
    expires_at: null,
    amount: toWireAmount(sum),
    currency: currency.toUpperCase(),
    usdt_rate: null,
    payable_again: row.is_owed_since === true,
  } satisfies Record<keyof typeof view, unknown>
}

/**
 * Whether the order is canceled when its time to pay ends: one that was placed before its payment is; one that is owed more is
 * not.
 */
function isOrderLapsed(row: TransactionRow): boolean {
  return row.order_id !== null && row.cart_id !== null
}

/**
 * `problem`: money came, and a person has to look. An order that could not be placed yet is `paid` at first, because that is
 * retried automatically.
 */
export function payerState(row: TransactionRow): PayerState {
  switch (row.state) {
    case "paid":
      return needsPerson(row) ? "problem" : "paid"
    case "canceled":
    case "refused":
      return "canceled"
    case "expired":
      return "expired"
    case "creating":
    case "unknown":
    case "pending":
      return "pending"
  }
}
