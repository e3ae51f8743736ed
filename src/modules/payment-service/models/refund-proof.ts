import { model } from "@medusajs/framework/utils"

/**
 * Proof that money of a payment went back: the service cannot refund, so Medusa may book a refund only
 * against one of these.
 */
export const RefundProof = model
  .define(
    { name: "PaymentServiceRefundProof", tableName: "payment_service_refund_proof" },
    {
      id: model.id({ prefix: "psproof" }).primaryKey(),
      transaction_row_id: model.text(),
      /** Decimal text, in the payment's currency; a refund is covered by a proof of exactly its amount. */
      amount: model.text(),
      currency: model.text(),
      /** `outside`: the money went back without the service. Payouts will be another kind. */
      kind: model.enum(["outside"]),
      /** The problem that was closed with this proof; unique, so closing it twice makes no second proof. */
      problem_id: model.text().nullable(),
      note: model.text().nullable(),
      given_by: model.text().nullable(),
      given_at: model.dateTime(),
    }
  )
  .indexes([
    { name: "IDX_payment_service_refund_proof_row", on: ["transaction_row_id"] },
    {
      name: "IDX_payment_service_refund_proof_problem_id",
      on: ["problem_id"],
      unique: true,
      where: "problem_id IS NOT NULL",
    },
  ])
