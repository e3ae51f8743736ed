import { MedusaError } from "@medusajs/framework/utils"

import { type AmountInput, toDecimalText } from "../../settlement/amount"
import type { TransactionRow } from "../../modules/payment-service"

/** What a storefront may see of a transaction; ids, addresses and amounts only. */
export interface SessionData extends Record<string, unknown> {
  session_id: string
  transaction_id: string
  /** Where the payer pays. */
  redirect: string
  method: string
  /** Decimal text, as asked of the service. */
  amount: string
  currency: string
  /** ISO 8601, or null when the service gave no time to pay. */
  expires_at: string | null
  /** Rubles (or the session's currency) for one USDT, or null. */
  usdt_rate: string | null
}

/** Keys of the middleware, see `src/api/middlewares.ts`; undefined is not stored. */
const NOT_STORED = { payer_ip: undefined }

export function toSessionData(row: TransactionRow): SessionData {
  return {
    session_id: row.session_id,
    transaction_id: row.transaction_id ?? "",
    redirect: row.redirect ?? "",
    method: row.method,
    amount: row.amount,
    currency: row.currency,
    expires_at: row.expires_at?.toISOString() ?? null,
    usdt_rate: row.usdt_rate,
    ...NOT_STORED,
  }
}

/** A text of some input data, or null; input data is whatever a caller gave to Medusa. */
export function textOf(data: Record<string, unknown> | undefined, key: string): string | null {
  const value = data?.[key]
  return typeof value === "string" && value ? value : null
}

/** Amounts reach a provider as number, text, or Medusa's raw `{ value }`. */
export function amountOf(amount: unknown): string {
  const raw =
    typeof amount === "object" && amount !== null && "value" in amount ? amount.value : amount
  try {
    return toDecimalText(raw as AmountInput)
  } catch {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, "A payment needs an amount.")
  }
}
