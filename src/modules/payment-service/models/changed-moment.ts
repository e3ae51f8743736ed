import { model } from "@medusajs/framework/utils"

/**
 * A moment of which the overview may say something else than before, because a transaction that was opened or paid then
 * has changed. The figures of a day with such a moment do not count, until they are made again. A trigger of the
 * transactions' table writes it.
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
