import { model } from "@medusajs/framework/utils"

/** Proof that money of a payment went back. The service cannot refund, so Medusa may book a refund only against such a proof. */
export const RefundProof = model
  .define(
    { name: "PaymentServiceRefundProof", tableName: "payment_service_refund_proof" },
    {
      id: model.id({ prefix: "psproof" }).primaryKey(),
      transaction_row_id: model.text(),
      /** Decimal text, in the payment's currency; a proof covers only a refund of exactly its amount. */
      amount: model.text(),
      currency: model.text(),
      /** `outside`: the money went back without the service; `payout`: a payout of ours was made for it. */
      kind: model.enum(["outside", "payout"]),
      /**
       * The problem for which the money was paid back. It is closed with one proof of the kind `outside`, so closing it twice
       * makes no second one; it may have several payouts.
       */
      problem_id: model.text().nullable(),
      /** The payout that proves it. */
      payout_id: model.text().nullable(),
      /** When an admin recorded the refund that a payout proves; null until then. */
      recorded_at: model.dateTime().nullable(),
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
      where: "problem_id IS NOT NULL AND kind = 'outside'",
    },
    {
      name: "IDX_payment_service_refund_proof_payout_id",
      on: ["payout_id"],
      unique: true,
      where: "payout_id IS NOT NULL",
    },
  ])
