import { model } from "@medusajs/framework/utils"

import { LEDGER_KINDS } from "../../../payments/rules/ledger"
import { PROBLEM_RESOLUTIONS } from "../../../problems/rules/problems"

/** An event in the life of a transaction, only ever added. A trigger writes those about changes of its row, so none is forgotten. */
export const JournalEntry = model
  .define("payment_service_journal_entry", {
    id: model.id({ prefix: "psjou" }).primaryKey(),
    transaction_row_id: model.text(),
    at: model.dateTime(),
    /** Kinds and facts stand in the trigger's migration, and in `enterAction` (`service.ts`); `callbacks.ts` enters `callback`. */
    kind: model.text(),
    facts: model.json(),
    by: model.text().nullable(),
  })
  .indexes([{ on: ["transaction_row_id", "at"] }])

/** A line of the ledger of an order's money, which is only added to; see `payments/rules/ledger.ts`. */
export const LedgerEntry = model
  .define("payment_service_ledger_entry", {
    id: model.id({ prefix: "psled" }).primaryKey(),
    /** The payment that it is about; null for a decision about a whole order. */
    transaction_row_id: model.text().nullable(),
    /** The order that a decision is about; else it is the payment's. */
    order_id: model.text().nullable(),
    kind: model.enum([...LEDGER_KINDS]),
    /** Decimal text; negative where an earlier decision shrinks. */
    amount: model.text(),
    currency: model.text(),
    /** Core's refund that it proves; of one that was asked for and refused, null when that was before core wrote it down. */
    refund_id: model.text().nullable(),
    /** The problem at which it was said. Money goes back outside once for each. */
    problem_id: model.text().nullable(),
    payout_id: model.text().nullable(),
    note: model.text().nullable(),
    by: model.text().nullable(),
    at: model.dateTime(),
    /** When the watcher has Medusa book the refund that it proves, if nobody has until then; null once that is done. */
    to_book_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["transaction_row_id"] },
    { on: ["order_id"], where: "order_id IS NOT NULL" },
    {
      on: ["problem_id"],
      unique: true,
      where: "problem_id IS NOT NULL AND kind IN ('outside', 'reversed')",
    },
    { on: ["payout_id"], unique: true, where: "payout_id IS NOT NULL" },
    { on: ["to_book_at"], where: "to_book_at IS NOT NULL" },
  ])

/** Money or an order in a state that a person must look at. Each cause has at most one open problem; closed ones are kept. */
export const Problem = model
  .define("payment_service_problem", {
    id: model.id({ prefix: "psprob" }).primaryKey(),
    /** A `ProblemKind`; `problems/rules/problems.ts` explains each. */
    kind: model.text(),
    /** Identifies the problem when it is seen again, for example `transaction:pstx_…`. */
    cause: model.text(),
    transaction_row_id: model.text().nullable(),
    transaction_id: model.text().nullable(),
    session_id: model.text().nullable(),
    cart_id: model.text().nullable(),
    order_id: model.text().nullable(),
    customer_id: model.text().nullable(),
    /** The money in question as decimal text: the paid sum, if a read has shown one. */
    amount: model.text().nullable(),
    currency: model.text().nullable(),
    facts: model.json(),
    opened_at: model.dateTime(),
    last_seen_at: model.dateTime(),
    closed_at: model.dateTime().nullable(),
    /** Id of the admin, or null when it closed automatically. */
    closed_by: model.text().nullable(),
    resolution: model.enum([...PROBLEM_RESOLUTIONS]).nullable(),
    note: model.text().nullable(),
  })
  .indexes([
    { on: ["cause"], unique: true, where: "closed_at IS NULL" },
    { on: ["cause"] },
    { on: ["kind"], where: "closed_at IS NULL" },
    { on: ["opened_at"] },
    { on: ["transaction_row_id"] },
  ])

/** An event of the plugin; see `database/outbox.ts`. */
export const Event = model
  .define("payment_service_event", {
    id: model.id({ prefix: "psevt" }).primaryKey(),
    name: model.text(),
    data: model.json(),
    written_at: model.dateTime(),
    /** The time to send it, or to send it again if the sender died; null once it is sent. */
    send_at: model.dateTime().nullable(),
  })
  .indexes([{ on: ["send_at"] }])

/** An export that has ended. Rows are only ever added, and do not say what was searched for. */
export const ExportRecord = model
  .define("payment_service_export_record", {
    id: model.id({ prefix: "psexp" }).primaryKey(),
    /** A user or a secret API key. */
    by: model.text(),
    source: model.enum(["store", "service", "payouts"]),
    format: model.enum(["csv", "xlsx", "json"]),
    /** The period that was asked for, without its end. */
    from: model.dateTime().nullable(),
    to: model.dateTime().nullable(),
    rows: model.number(),
    /** `canceled`: the admin went away before the end. */
    outcome: model.enum(["complete", "canceled", "failed"]),
    at: model.dateTime(),
  })
  .indexes([{ on: ["at"] }])

/** One save of the page Settings. Rows are only ever added; the newest of an account counts, so the list is the history, too. */
export const Settings = model
  .define(
    { name: "settings", tableName: "payment_service_settings" },
    {
      id: model.id({ prefix: "psset" }).primaryKey(),
      /** The id of an account, or "" for what all of them share, and for the store. */
      account: model.text(),
      /** Counts all saves from 1, so that of two at once one is refused. */
      version: model.number(),
      /** All that is set then, by the options' names; the secrets apart, sealed, each with who set it and when. */
      options: model.json(),
      secrets: model.json(),
      by: model.text(),
      by_name: model.text(),
      at: model.dateTime(),
    }
  )
  .indexes([{ on: ["version"], unique: true }])
