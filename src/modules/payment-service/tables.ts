import type { InferTypeOf } from "@medusajs/framework/types"
import { MedusaService } from "@medusajs/framework/utils"

import * as others from "./models/other-tables"
import { Transaction } from "./models/transaction"

export type TransactionRow = InferTypeOf<typeof Transaction>

/** With what its cart or order asks for now, where Medusa has deleted its session before anything was paid; else these are null. */
export type PayerRow = TransactionRow & {
  sum_since: string | null
  currency_since: string | null
  is_owed_since: boolean | null
  order_since: string | null
  /** Another attempt of the same cart or order's rest that is open. */
  open_since: Pick<TransactionRow, "session_id" | "method"> | null
  order_display_id: number | null
  /** The row of the id that was asked for, which another attempt may have outdone. */
  asked_id: string
  /** Whether the id is the session for which that row was opened, before there was an order. */
  began_cart: boolean
  /** Whether the order was placed, or may be, before any payment of the collection. */
  is_order_first: boolean
}
export type ReconciliationRunRow = InferTypeOf<typeof others.ReconciliationRun>
export type PayoutRow = InferTypeOf<typeof others.Payout>
export type PayoutEntryRow = InferTypeOf<typeof others.PayoutEntry>
export type LedgerEntryRow = InferTypeOf<typeof others.LedgerEntry>
export type ProblemRow = InferTypeOf<typeof others.Problem>
export type ExportRecordRow = InferTypeOf<typeof others.ExportRecord>
export type SettingsRow = InferTypeOf<typeof others.Settings>

export class Tables extends MedusaService({ Transaction, ...others }) {}
