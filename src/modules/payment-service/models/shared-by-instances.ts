import { model } from "@medusajs/framework/utils"

/** Work that only one process may do at a time. A lease expires, so that a killed process blocks nobody. */
export const Lease = model.define(
  { name: "PaymentServiceLease", tableName: "payment_service_lease" },
  {
    id: model.text().primaryKey(),
    holder: model.text(),
    until: model.dateTime(),
  }
)

/** Keys that are made once and must never change, such as the key for guests' payer ids. */
export const GeneratedKey = model.define(
  { name: "PaymentServiceGeneratedKey", tableName: "payment_service_generated_key" },
  {
    /** `pskey_` and the key's name. */
    id: model.text().primaryKey(),
    /** 32 random bytes, base64. */
    value: model.text(),
  }
)

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
