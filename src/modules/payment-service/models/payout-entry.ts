import { model } from "@medusajs/framework/utils"

/** An event in the life of a payout: who did what, when, and from which address. Entries are only ever added. */
export const PayoutEntry = model
  .define(
    { name: "PaymentServicePayoutEntry", tableName: "payment_service_payout_entry" },
    {
      id: model.id({ prefix: "pspoe" }).primaryKey(),
      payout_id: model.text(),
      at: model.dateTime(),
      /** See `PayoutFacts` in `settlement/payouts/payout.ts`. */
      kind: model.text(),
      facts: model.json(),
      /** The user who did it, with their name at that time; null for what the plugin or the service did. */
      by: model.text().nullable(),
      by_name: model.text().nullable(),
      address: model.text().nullable(),
    }
  )
  .indexes([{ name: "IDX_payment_service_payout_entry_payout", on: ["payout_id", "at"] }])
