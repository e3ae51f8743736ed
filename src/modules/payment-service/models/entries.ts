import { model } from "@medusajs/framework/utils"

import { LEDGER_KINDS } from "../../../settlement/ledger"

/**
 * An event in the life of a transaction. Entries are only ever added: a trigger of `payment_service_transaction` writes those
 * about changes of its row, so no statement can forget one.
 */
export const JournalEntry = model
  .define(
    { name: "PaymentServiceJournalEntry", tableName: "payment_service_journal_entry" },
    {
      id: model.id({ prefix: "psjou" }).primaryKey(),
      transaction_row_id: model.text(),
      at: model.dateTime(),
      /** Kinds and facts stand in the trigger's migration, and in `Deeds` (`service.ts`); `callbacks.ts` enters `callback`. */
      kind: model.text(),
      facts: model.json(),
      /** The acting user; null for events of the plugin or the service. */
      by: model.text().nullable(),
    }
  )
  .indexes([{ on: ["transaction_row_id", "at"] }])

/** A line of the ledger of an order's money, which is only added to; see `settlement/ledger.ts`. */
export const LedgerEntry = model
  .define(
    { name: "PaymentServiceLedgerEntry", tableName: "payment_service_ledger_entry" },
    {
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
      /** The payout that it proves. */
      payout_id: model.text().nullable(),
      note: model.text().nullable(),
      by: model.text().nullable(),
      at: model.dateTime(),
    }
  )
  .indexes([
    { on: ["transaction_row_id"] },
    { on: ["order_id"], where: "order_id IS NOT NULL" },
    {
      on: ["problem_id"],
      unique: true,
      where: "problem_id IS NOT NULL AND kind IN ('outside', 'reversed')",
    },
    { on: ["payout_id"], unique: true, where: "payout_id IS NOT NULL" },
  ])

/**
 * Events of the plugin. Each is written in the same statement as the change that it reports, and sent
 * afterwards: at least once, always with the same id.
 */
export const Event = model
  .define(
    { name: "PaymentServiceEvent", tableName: "payment_service_event" },
    {
      id: model.id({ prefix: "psevt" }).primaryKey(),
      name: model.text(),
      data: model.json(),
      written_at: model.dateTime(),
      /** The time to send it, or to send it again if the sender died; null once it is sent. */
      send_at: model.dateTime().nullable(),
    }
  )
  .indexes([{ on: ["send_at"] }])
