import { model } from "@medusajs/framework/utils"

/** An event in the life of a payout: the action, its user, time and address. Entries are only ever added. */
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
      /** The acting user with their name at that time; null for events of the plugin or the service. */
      by: model.text().nullable(),
      by_name: model.text().nullable(),
      address: model.text().nullable(),
    }
  )
  .indexes([{ name: "IDX_payment_service_payout_entry_payout", on: ["payout_id", "at"] }])
