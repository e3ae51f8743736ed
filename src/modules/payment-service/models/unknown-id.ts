import { model } from "@medusajs/framework/utils"

/** An id that a callback named less than a minute ago and that no transaction had; a creation may still bring it. */
export const UnknownId = model
  .define(
    { name: "PaymentServiceUnknownId", tableName: "payment_service_unknown_id" },
    {
      /** The service's id, in lower case. */
      id: model.text().primaryKey(),
      received_at: model.dateTime(),
    }
  )
  .indexes([{ name: "IDX_payment_service_unknown_id_received_at", on: ["received_at"] }])
