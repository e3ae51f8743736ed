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
