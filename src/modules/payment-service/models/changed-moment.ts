import { model } from "@medusajs/framework/utils"

/**
 * A moment whose figures in the overview may be outdated, because a transaction that was opened or paid then has changed. A
 * trigger of the transactions' table writes it. Stored figures of a day with such a moment do not count.
 */
export const ChangedMoment = model
  .define(
    { name: "PaymentServiceChangedMoment", tableName: "payment_service_changed_moment" },
    {
      id: model.id({ prefix: "pschg" }).primaryKey(),
      at: model.dateTime(),
    }
  )
  .indexes([{ name: "IDX_payment_service_changed_moment_at", on: ["at"] }])
