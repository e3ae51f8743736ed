import { model } from "@medusajs/framework/utils"

/**
 * An event in the life of a transaction. Entries are only ever added: a trigger of `payment_service_transaction` writes those
 * that say how its row changed, so no statement can forget one.
 */
export const JournalEntry = model
  .define(
    { name: "PaymentServiceJournalEntry", tableName: "payment_service_journal_entry" },
    {
      id: model.id({ prefix: "psjou" }).primaryKey(),
      transaction_row_id: model.text(),
      at: model.dateTime(),
      kind: model.text(),
      /** See `JournalFacts` in `settlement/journal.ts`. */
      facts: model.json(),
      /** The user who did it; null for what the plugin or the service did. */
      by: model.text().nullable(),
    }
  )
  .indexes([{ name: "IDX_payment_service_journal_entry_row", on: ["transaction_row_id", "at"] }])
