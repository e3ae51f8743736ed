import { model } from "@medusajs/framework/utils"

import {
  type Accepted,
  type Figures,
  type Handled,
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATES,
} from "../../../payments/rules/transaction"
import type { Completion } from "../../../payments/statements/transactions"
import type { Reason } from "../../../problems/rules/reasons"

/** One attempt to pay at the service. It outlives Medusa's session, because the QR stays payable. Amounts are decimal text. */
export const Transaction = model
  .define(
    { name: "PaymentServiceTransaction", tableName: "payment_service_transaction" },
    {
      /** Our reference, sent to the service as `payload`. */
      id: model.id({ prefix: "pstx" }).primaryKey(),
      /** The account that opened it. It is read only at this address, by any account with this merchant there. */
      account: model.text(),
      base_url: model.text(),
      merchant_id: model.text(),
      method: model.text(),
      /** The session that the transaction belongs to now. The one that it was opened for stands in its journal (`openedFor`). */
      session_id: model.text(),
      payment_collection_id: model.text(),
      cart_id: model.text().nullable(),
      order_id: model.text().nullable(),
      customer_id: model.text().nullable(),
      /** The customer, or a digest of a guest's e-mail address (`openTransaction`), never an address. */
      payer_id: model.text().nullable(),
      /** As sent to the service, rounded to kopecks; the description without card numbers. */
      amount: model.text(),
      currency: model.text(),
      description: model.text(),
      /** The service's id as it wrote it; null until its reply to the creation. Callbacks may use another case, so look-ups use lower. */
      transaction_id: model.text().nullable(),
      redirect: model.text().nullable(),
      qr: model.text().nullable(),
      opened_at: model.dateTime(),
      expires_at: model.dateTime().nullable(),
      state: model.enum([...TRANSACTION_STATES]).default("creating"),
      exception: model.enum([...TRANSACTION_EXCEPTIONS]).nullable(),
      /** The time when the exception last began or ended. */
      exception_at: model.dateTime().nullable(),
      /** Differences, or refusals of Medusa or the service: also those of a creation that failed, which is no exception. */
      exception_reasons: model.json<Reason[]>().nullable(),
      /** A person took care of the money then; nothing is done with it automatically after that. */
      handled_at: model.dateTime().nullable(),
      /** The money as a person saw it who last took care of it, also if Medusa holds it; a read that says else is a new problem. */
      handled: model.json<Handled>().nullable(),
      status: model.text().nullable(),
      /** The sum in the last read; once paid, in the last read that said paid. Decimal text. */
      read_amount: model.text().nullable(),
      read_currency: model.text().nullable(),
      figures: model.json<Figures>().nullable(),
      /** The time when the last answer was asked for. */
      read_at: model.dateTime().nullable(),
      /** The end of the last settle, or of the claim of the running one. */
      claimed_until: model.dateTime().nullable(),
      /** The time when a read first showed it paid, never cleared; and whether that was after the time to pay, or a cancellation. */
      paid_at: model.dateTime().nullable(),
      paid_late: model.boolean().default(false),
      accepted: model.json<Accepted>().nullable(),
      /** When core was told that it may place the order before the money comes. */
      deferred_at: model.dateTime().nullable(),
      /** The completion of the cart that core has begun, see `CompletionMarks`; null once that has ended. */
      completion: model.json<Completion>().nullable(),
      /** The time when Medusa held the captured payment and `payment.captured` was emitted. */
      settled_at: model.dateTime().nullable(),
      /** The state in the last `payment_service.transaction_settled` event. */
      published_state: model.enum([...TRANSACTION_STATES]).default("pending"),
      /** The time of the last hint, from a callback or elsewhere, that it may have changed. */
      hinted_at: model.dateTime().nullable(),
      /** The time of the watcher's next settle; null once the row is final. */
      watch_at: model.dateTime().nullable(),
      /** Failed attempts to make Medusa follow, and the earliest moment for the next one. */
      apply_attempts: model.number().default(0),
      apply_after: model.dateTime().nullable(),
    }
  )
  // Models cannot have indexes over expressions, in descending order, with included columns or for prefixes: see the second migration.
  .indexes([
    { on: ["state", "opened_at"] },
    { on: ["customer_id"] },
    { on: ["payer_id"] },
    { on: ["exception", "opened_at"], where: "exception IS NOT NULL" },
    {
      name: "IDX_payment_service_transaction_completion",
      on: ["cart_id"],
      where: "completion IS NOT NULL",
    },
    {
      on: ["exception"],
      where: "exception IS NOT NULL AND (handled_at IS NULL OR exception_at > handled_at)",
    },
    {
      name: "IDX_payment_service_transaction_unsettled",
      on: ["opened_at"],
      where: "state = 'paid' AND settled_at IS NULL AND handled_at IS NULL",
    },
    {
      name: "IDX_payment_service_transaction_unpublished",
      on: ["opened_at"],
      where:
        "published_state <> state AND (settled_at IS NOT NULL OR (state IN ('canceled', 'expired') AND apply_after IS NULL))",
    },
  ])
