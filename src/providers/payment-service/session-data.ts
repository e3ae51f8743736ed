import { exactAmount } from "../../settlement/amount"
import type { TransactionRow } from "../../modules/payment-service"
import { refusedPayment } from "../../modules/payment-service/refused-deed"

/**
 * Our middleware writes this into a shopper's request (`replace-session-data.ts`), in place of the browser's data. None of it is
 * stored.
 */
export interface RequestData {
  payer_ip?: string
  /** The time by which the request must be answered, in milliseconds of `Date.now()`. */
  answer_by: number
}

/** Core does not store undefined values. */
const NOT_STORED: Record<keyof RequestData, undefined> = {
  payer_ip: undefined,
  answer_by: undefined,
}

/** The facts of a transaction that a storefront may see: ids, addresses and amounts only. */
export function toSessionData(row: TransactionRow) {
  return {
    session_id: row.session_id,
    transaction_id: row.transaction_id ?? "",
    /** The page on which the payer pays. */
    redirect: row.redirect ?? "",
    method: row.method,
    /** Decimal text, the sum that the service was asked for. */
    amount: row.amount,
    currency: row.currency,
    /** ISO 8601, or null when the service gave no time to pay. */
    expires_at: row.expires_at?.toISOString() ?? null,
    /** Rubles (or the session's currency) for one USDT, or null. */
    usdt_rate: row.figures?.usdt_rate ?? null,
    ...NOT_STORED,
  }
}

/** A number in the input data, or null. */
export function numberOf(data: Record<string, unknown> | undefined, key: string): number | null {
  const value = data?.[key]
  return typeof value === "number" && Number.isFinite(value) ? value : null
}

/** Amounts reach a provider as number, text, or Medusa's raw `{ value }`. */
export function amountOf(amount: unknown): string {
  try {
    return exactAmount({ amount })
  } catch {
    throw refusedPayment("no_amount")
  }
}
