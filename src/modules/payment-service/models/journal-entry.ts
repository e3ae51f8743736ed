import { model } from "@medusajs/framework/utils"

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
      kind: model.text(),
      /** See `JournalFacts` in `settlement/journal.ts`. */
      facts: model.json(),
      /** The acting user; null for events of the plugin or the service. */
      by: model.text().nullable(),
    }
  )
  .indexes([{ name: "IDX_payment_service_journal_entry_row", on: ["transaction_row_id", "at"] }])
