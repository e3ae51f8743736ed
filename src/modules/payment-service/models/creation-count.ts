import { model } from "@medusajs/framework/utils"

/** The number of payments opened at the service since a moment, see `creation-limits.ts`. */
export const CreationCount = model.define(
  { name: "PaymentServiceCreationCount", tableName: "payment_service_creation_count" },
  {
    /** The limited subject: a payment collection, a payer, an address (a digest), or the store. */
    id: model.text().primaryKey(),
    /** The time of the first opening. */
    since: model.dateTime(),
    count: model.number(),
  }
)
