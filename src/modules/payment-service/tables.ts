import type { InferTypeOf } from "@medusajs/framework/types"
import { MedusaService } from "@medusajs/framework/utils"

import { Callback, CallbackToken, SubscriptionLookup } from "./models/callback"
import { Event, ExportRecord, JournalEntry, LedgerEntry, Problem, Settings } from "./models/entries"
import { Payout, PayoutEntry } from "./models/payout"
import { GeneratedKey, Lease, ReconciliationRun, Silence } from "./models/runs"
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
export type ReconciliationRunRow = InferTypeOf<typeof ReconciliationRun>
export type PayoutRow = InferTypeOf<typeof Payout>
export type PayoutEntryRow = InferTypeOf<typeof PayoutEntry>
export type LedgerEntryRow = InferTypeOf<typeof LedgerEntry>
export type ProblemRow = InferTypeOf<typeof Problem>
export type ExportRecordRow = InferTypeOf<typeof ExportRecord>
export type SettingsRow = InferTypeOf<typeof Settings>

export class Tables extends MedusaService({
  Transaction,
  Callback,
  CallbackToken,
  ExportRecord,
  GeneratedKey,
  JournalEntry,
  Lease,
  LedgerEntry,
  Silence,
  Event,
  Payout,
  PayoutEntry,
  Problem,
  ReconciliationRun,
  Settings,
  SubscriptionLookup,
}) {}
