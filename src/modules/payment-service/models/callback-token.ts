import { model } from "@medusajs/framework/utils"

/**
 * Tokens that the callback address has or had. A replaced one keeps working until an admin removes it, because the service may
 * still send to the old address.
 */
export const CallbackToken = model
  .define(
    { name: "PaymentServiceCallbackToken", tableName: "payment_service_callback_token" },
    {
      id: model.id({ prefix: "pstok" }).primaryKey(),
      /** SHA-256 in hex, which is enough to recognise the token. */
      digest: model.text(),
      /** The token itself if it was generated here, so that an admin can read the address; else null. */
      token: model.text().nullable(),
      source: model.enum(["generated", "option"]),
      replaced_at: model.dateTime().nullable(),
    }
  )
  .indexes([{ name: "IDX_payment_service_callback_token_digest", on: ["digest"], unique: true }])
