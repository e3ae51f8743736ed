import { model } from "@medusajs/framework/utils"

/**
 * A callback. Its ids, time, size and digest are kept, but never its body, which proves nothing and may hold the payer's data.
 */
export const Callback = model
  .define(
    { name: "PaymentServiceCallback", tableName: "payment_service_callback" },
    {
      id: model.id({ prefix: "pscb" }).primaryKey(),
      /** Candidate transaction ids found in the body, lower case, at most 10. */
      transaction_ids: model.json(),
      /** Bytes of the body and its SHA-256, in hex. */
      size: model.number(),
      digest: model.text(),
      received_at: model.dateTime(),
    }
  )
  .indexes([{ name: "IDX_payment_service_callback_received_at", on: ["received_at"] }])
