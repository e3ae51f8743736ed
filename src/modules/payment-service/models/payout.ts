import { model } from "@medusajs/framework/utils"

import { PAYOUT_STATES } from "../../../payouts/rules/payout"

/** Money that is, or was, to be sent to a ruble card: committed with key and digest before the request, and without a card number. */
export const Payout = model
  .define(
    { name: "PaymentServicePayout", tableName: "payment_service_payout" },
    {
      id: model.id({ prefix: "pspo" }).primaryKey(),
      state: model.enum([...PAYOUT_STATES]).default("draft"),
      /** Counts edits, so that an admin approves or sends only the version that they saw. */
      revision: model.number().default(1),

      /** The account it was made with, and that account's merchant and address then. It is sent only there. */
      account: model.text(),
      base_url: model.text(),
      merchant_id: model.text(),

      /** Whole rubles; in USDT it is decimal text. */
      amount: model.number(),
      /** The saved card; null when an admin types a number for each sending. */
      card_id: model.text().nullable(),
      card_last4: model.text().nullable(),
      card_brand: model.text().nullable(),
      card_label: model.text().nullable(),
      note: model.text().nullable(),
      order_id: model.text().nullable(),
      problem_id: model.text().nullable(),
      transaction_row_id: model.text().nullable(),

      /** The same in every request for this payout. */
      idempotency_key: model.text(),
      attempts: model.number().default(0),
      /** By then a living process has surely recorded the answer to the running request. */
      answer_by: model.dateTime().nullable(),
      /** Digest of the request's bytes; keyed when they hold a typed number. */
      body_digest: model.text().nullable(),
      /** Recognises a typed number: a digest with a key (`keys.ts`) of the payout's id and the number. */
      card_mac: model.text().nullable(),

      /** The day of `payouts.timeZone` (`YYYY-MM-DD`) whose limit it uses up: that of its sending, and before it that of its making. */
      limit_day: model.text(),

      amount_usdt: model.text().nullable(),
      withdrawal_record_id: model.text().nullable(),
      /** The reason why it was rejected or is unknown: a code and facts, see `payouts/rules/outcome.ts`. */
      reason_code: model.text().nullable(),
      reason_facts: model.json().nullable(),

      made_by: model.text(),
      made_by_name: model.text(),
      made_at: model.dateTime(),
      /** The ids of all admins who changed it, with a space between. */
      edited_by: model.text().nullable(),
      approved_by: model.text().nullable(),
      approved_by_name: model.text().nullable(),
      approved_at: model.dateTime().nullable(),
      sent_by: model.text().nullable(),
      sent_by_name: model.text().nullable(),
      sent_at: model.dateTime().nullable(),
      answered_at: model.dateTime().nullable(),
      marked_by: model.text().nullable(),
      marked_by_name: model.text().nullable(),
      marked_at: model.dateTime().nullable(),
      mark_note: model.text().nullable(),
    }
  )
  .indexes([
    { name: "IDX_payment_service_payout_made_at", on: ["made_at", "id"] },
    { name: "IDX_payment_service_payout_amount", on: ["amount", "card_last4"] },
    { on: ["order_id"], where: "order_id IS NOT NULL" },
    { on: ["problem_id"], where: "problem_id IS NOT NULL" },
    { on: ["transaction_row_id"], where: "transaction_row_id IS NOT NULL" },
    { on: ["answer_by"], where: "state = 'sending'" },
    { name: "IDX_payment_service_payout_unknown", on: ["sent_at"], where: "state = 'unknown'" },
    // The service makes one payout per key, so an id that another payout of ours has proves nothing.
    {
      name: "IDX_payment_service_payout_withdrawal",
      on: ["withdrawal_record_id"],
      where: "withdrawal_record_id IS NOT NULL",
      unique: true,
    },
  ])

/** An event in the life of a payout, or of all of them. Entries are only ever added. */
export const PayoutEntry = model
  .define(
    { name: "PaymentServicePayoutEntry", tableName: "payment_service_payout_entry" },
    {
      id: model.id({ prefix: "pspoe" }).primaryKey(),
      payout_id: model.text().nullable(),
      at: model.dateTime(),
      /** See `PayoutFacts` in `payouts/rules/payout.ts`. */
      kind: model.text(),
      facts: model.json(),
      /** Null for events of the plugin or the service. */
      by: model.text().nullable(),
      by_name: model.text().nullable(),
      address: model.text().nullable(),
      /** From `X-Forwarded-For`. */
      forwarded_address: model.text().nullable(),
    }
  )
  .indexes([{ name: "IDX_payment_service_payout_entry_payout", on: ["payout_id", "at"] }])
