import type { InferTypeOf } from "@medusajs/framework/types"
import { MedusaService } from "@medusajs/framework/utils"

import type { SessionId } from "../../settlement/ids"
import type { Transaction as DecidedOn } from "../../settlement/transaction"

import { Callback } from "./models/callback"
import { CallbackToken } from "./models/callback-token"
import { CreationCount } from "./models/creation-count"
import { Event } from "./models/event"
import { ExportRecord } from "./models/export-record"
import { GeneratedKey } from "./models/generated-key"
import { JournalEntry } from "./models/journal-entry"
import { Lease } from "./models/lease"
import { LedgerEntry } from "./models/ledger-entry"
import { Payout } from "./models/payout"
import { PayoutEntry } from "./models/payout-entry"
import { Problem } from "./models/problem"
import { ReconciliationRun } from "./models/reconciliation-run"
import { SubscriptionLookup } from "./models/subscription-lookup"
import { Transaction } from "./models/transaction"
import { WatcherRun } from "./models/watcher-run"

type ModelRow = InferTypeOf<typeof Transaction>
/** The model's row, with ids that cannot be mixed up, see `settlement/ids.ts`. */
export type TransactionRow = Omit<ModelRow, keyof Ids> & Ids

/** With what its cart or order asks for now, where Medusa has deleted its session before anything was paid; else these are null. */
export type PayerRow = TransactionRow & {
  sum_since: string | null
  currency_since: string | null
  /** Whether that sum is still to be paid. */
  is_owed_since: boolean | null
  order_since: string | null
}
type Ids = Pick<DecidedOn, "id" | "transaction_id" | "session_id"> & {
  return_session_id: SessionId
}
export type WatcherRunRow = InferTypeOf<typeof WatcherRun>
export type ReconciliationRunRow = InferTypeOf<typeof ReconciliationRun>
export type PayoutRow = InferTypeOf<typeof Payout>
export type PayoutEntryRow = InferTypeOf<typeof PayoutEntry>
/** The model's row, with ids that cannot be mixed up. */
export type LedgerEntryRow = Omit<InferTypeOf<typeof LedgerEntry>, "transaction_row_id"> & {
  transaction_row_id: DecidedOn["id"] | null
}
export type ProblemRow = InferTypeOf<typeof Problem>

/** The plugin's own tables, with the methods that Medusa generates for their rows. */
export class Tables extends MedusaService({
  Transaction,
  Callback,
  CallbackToken,
  CreationCount,
  ExportRecord,
  GeneratedKey,
  JournalEntry,
  Lease,
  LedgerEntry,
  WatcherRun,
  Event,
  Payout,
  PayoutEntry,
  Problem,
  ReconciliationRun,
  SubscriptionLookup,
}) {}
