import { model } from "@medusajs/framework/utils"

/** How many payments were opened at the service since a moment, see `creation-limits.ts`. */
export const CreationCount = model.define(
  { name: "PaymentServiceCreationCount", tableName: "payment_service_creation_count" },
  {
    /** For what or whom: a cart, a payer, an address (a digest), or the store. */
    id: model.text().primaryKey(),
    /** When the first of them was opened. */
    since: model.dateTime(),
    count: model.number(),
    /** When a refusal was last written to the log. */
    logged_at: model.dateTime().nullable(),
  }
)
