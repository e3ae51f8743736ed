import { model } from "@medusajs/framework/utils"

/** Keys that are made once and must never change, such as the key for guests' payer ids. */
export const GeneratedKey = model.define(
  { name: "PaymentServiceGeneratedKey", tableName: "payment_service_generated_key" },
  {
    id: model.id({ prefix: "pskey" }).primaryKey(),
    name: model.text().unique(),
    /** 32 random bytes, base64. */
    value: model.text(),
  }
)
