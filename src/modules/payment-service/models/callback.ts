import { model } from "@medusajs/framework/utils"

/**
 * The inbox: requests to settle that came from outside, written down before they are answered. Of a
 * callback the ids, time, size and digest are kept, never its body: it proves nothing and may hold
 * the payer's data.
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
      /** `waiting` until settled (`handled`), found to name none of ours, or given up (`parked`). */
      state: model.enum(["waiting", "handled", "unknown", "parked"]).default("waiting"),
      attempts: model.number().default(0),
      next_attempt_at: model.dateTime().nullable(),
    }
  )
  .indexes([
    { name: "IDX_payment_service_callback_due", on: ["state", "next_attempt_at"] },
    { name: "IDX_payment_service_callback_received_at", on: ["received_at"] },
  ])
