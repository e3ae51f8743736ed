import { model } from "@medusajs/framework/utils"

import { LEDGER_KINDS } from "../../../payments/rules/ledger"
import { PAYOUT_STATES } from "../../../payouts/rules/payout"
import { PROBLEM_RESOLUTIONS } from "../../../problems/rules/problems"
import type { Refusal } from "../../../problems/rules/reasons"

// By feature: payments, problems, payouts, reconciliation, exports, subscriptions, settings; then what all of them share.

/** An event in the life of a transaction, only ever added. A trigger writes those about changes of its row, so none is forgotten. */
export const JournalEntry = model
  .define("payment_service_journal_entry", {
    id: model.id({ prefix: "psjou" }).primaryKey(),
    transaction_row_id: model.text(),
    at: model.dateTime(),
    /** Kinds and facts stand in the trigger's migration, and in `enterAction` (`service.ts`); `callbacks.ts` enters `callback`. */
    kind: model.text(),
    facts: model.json(),
    by: model.text().nullable(),
  })
  .indexes([{ on: ["transaction_row_id", "at"] }])

/** A line of the ledger of an order's money, which is only added to; see `payments/rules/ledger.ts`. */
export const LedgerEntry = model
  .define("payment_service_ledger_entry", {
    id: model.id({ prefix: "psled" }).primaryKey(),
    /** The payment that it is about; null for a decision about a whole order. */
    transaction_row_id: model.text().nullable(),
    /** The order that a decision is about; else it is the payment's. */
    order_id: model.text().nullable(),
    kind: model.enum([...LEDGER_KINDS]),
    /** Decimal text; negative where an earlier decision shrinks. */
    amount: model.text(),
    currency: model.text(),
    /** Core's refund that it proves; of one that was asked for and refused, null when that was before core wrote it down. */
    refund_id: model.text().nullable(),
    /** The problem at which it was said. Money goes back outside once for each. */
    problem_id: model.text().nullable(),
    payout_id: model.text().nullable(),
    note: model.text().nullable(),
    by: model.text().nullable(),
    at: model.dateTime(),
    /** When the watcher has Medusa book the refund that it proves, if nobody has until then; null once that is done. */
    to_book_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["transaction_row_id"] },
    { on: ["order_id"], where: "order_id IS NOT NULL" },
    {
      on: ["problem_id"],
      unique: true,
      where: "problem_id IS NOT NULL AND kind IN ('outside', 'reversed')",
    },
    { on: ["payout_id"], unique: true, where: "payout_id IS NOT NULL" },
    { on: ["to_book_at"], where: "to_book_at IS NOT NULL" },
  ])

/** A callback. Its ids and time are kept, but never its body, which proves nothing and may hold the payer's data. */
export const Callback = model
  .define("payment_service_callback", {
    id: model.id({ prefix: "pscb" }).primaryKey(),
    /** Candidate transaction ids found in the body, lower case, at most 10. */
    transaction_ids: model.json(),
    received_at: model.dateTime(),
  })
  .indexes([{ on: ["received_at"] }])

/** Tokens of the callback address. A replaced one works until an admin removes it: the service may still send to the old address. */
export const CallbackToken = model
  .define("payment_service_callback_token", {
    id: model.id({ prefix: "pstok" }).primaryKey(),
    /** SHA-256 in hex. */
    digest: model.text(),
    /** The token itself if it was generated here, so that an admin can read the address; else null. */
    token: model.text().nullable(),
    source: model.enum(["generated", "option"]),
    replaced_at: model.dateTime().nullable(),
    /** When somebody last asked the address with it, to the minute. */
    reached_at: model.dateTime().nullable(),
  })
  .indexes([{ on: ["digest"], unique: true }])

/** A merchant, at one address, for which the service does not answer; there is no row once it has answered. */
export const Silence = model.define("payment_service_silence", {
  /** See `merchantAccountId`. */
  id: model.text().primaryKey(),
  since: model.dateTime(),
  /** Reads in a row without an answer, those during a pause apart. */
  unanswered: model.number(),
  /** Until then only what somebody waits for is read. */
  paused_until: model.dateTime().nullable(),
})

/** Money or an order in a state that a person must look at. Each cause has at most one open problem; closed ones are kept. */
export const Problem = model
  .define("payment_service_problem", {
    id: model.id({ prefix: "psprob" }).primaryKey(),
    /** A `ProblemKind`; `problems/rules/problems.ts` explains each. */
    kind: model.text(),
    /** Identifies the problem when it is seen again, for example `transaction:pstx_…`. */
    cause: model.text(),
    transaction_row_id: model.text().nullable(),
    transaction_id: model.text().nullable(),
    session_id: model.text().nullable(),
    cart_id: model.text().nullable(),
    order_id: model.text().nullable(),
    customer_id: model.text().nullable(),
    /** The money in question as decimal text: the paid sum, if a read has shown one. */
    amount: model.text().nullable(),
    currency: model.text().nullable(),
    facts: model.json(),
    opened_at: model.dateTime(),
    last_seen_at: model.dateTime(),
    closed_at: model.dateTime().nullable(),
    /** Id of the admin, or null when it closed automatically. */
    closed_by: model.text().nullable(),
    resolution: model.enum([...PROBLEM_RESOLUTIONS]).nullable(),
    note: model.text().nullable(),
  })
  .indexes([
    { on: ["cause"], unique: true, where: "closed_at IS NULL" },
    { on: ["cause"] },
    { on: ["kind"], where: "closed_at IS NULL" },
    { on: ["opened_at"] },
    { on: ["transaction_row_id"] },
  ])

/** Money that is, or was, to be sent to a ruble card: committed with key and digest before the request, and without a card number. */
export const Payout = model
  .define("payment_service_payout", {
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
  })
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
  .define("payment_service_payout_entry", {
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
  })
  .indexes([{ name: "IDX_payment_service_payout_entry_payout", on: ["payout_id", "at"] }])

/** A comparison with the service's own records of one merchant at one address. Rows are kept for 90 days. */
export const ReconciliationRun = model
  .define("payment_service_reconciliation_run", {
    id: model.id({ prefix: "pscmp" }).primaryKey(),
    /** In lower case. */
    merchant_id: model.text(),
    base_url: model.text(),
    from: model.dateTime(),
    to: model.dateTime(),
    started_at: model.dateTime(),
    /** Null while the comparison runs, and for ever when its process died. */
    finished_at: model.dateTime().nullable(),
    /** Records that the service listed. */
    records: model.number().default(0),
    /** Records that are ours. */
    matched: model.number().default(0),
    differences: model.number().default(0),
    /** Differences that were gone after a settle. */
    settled: model.number().default(0),
    /** Problems that opened during it; null when nobody counted them. */
    problems: model.number().nullable(),
    /** The reason for an early end, without secrets, and the same as codes; null when it was completed. */
    error: model.text().nullable(),
    reasons: model.json<Refusal[]>().nullable(),
  })
  .indexes([
    {
      name: "IDX_payment_service_reconciliation_run_merchant",
      on: ["merchant_id", "base_url", "started_at"],
    },
    { on: ["started_at"] },
  ])

/** An export that has ended. Rows are only ever added, and do not say what was searched for. */
export const ExportRecord = model
  .define("payment_service_export_record", {
    id: model.id({ prefix: "psexp" }).primaryKey(),
    /** A user or a secret API key. */
    by: model.text(),
    source: model.enum(["store", "service", "payouts"]),
    format: model.enum(["csv", "xlsx", "json"]),
    /** The period that was asked for, without its end. */
    from: model.dateTime().nullable(),
    to: model.dateTime().nullable(),
    rows: model.number(),
    /** `canceled`: the admin went away before the end. */
    outcome: model.enum(["complete", "canceled", "failed"]),
    at: model.dateTime(),
  })
  .indexes([{ on: ["at"] }])

/** An id that a callback named and no transaction had (with `subscriptions.callbacks`): the service is asked for a subscription. */
export const SubscriptionLookup = model
  .define("payment_service_subscription_lookup", {
    /** The service's id, in lower case. */
    id: model.text().primaryKey(),
    /** The time of its last callback, so that one that comes while the service is being asked is not lost. */
    named_at: model.dateTime(),
    due_at: model.dateTime().nullable(),
    found_at: model.dateTime().nullable(),
  })
  .indexes([{ on: ["due_at"] }, { on: ["named_at"] }])

/** One save of the page Settings. Rows are only ever added; the newest of an account counts, so the list is the history, too. */
export const Settings = model
  .define(
    { name: "settings", tableName: "payment_service_settings" },
    {
      id: model.id({ prefix: "psset" }).primaryKey(),
      /** The id of an account, or "" for what all of them share, and for the store. */
      account: model.text(),
      /** Counts all saves from 1, so that of two at once one is refused. */
      version: model.number(),
      /** All that is set then, by the options' names; the secrets apart, sealed, each with who set it and when. */
      options: model.json(),
      secrets: model.json(),
      by: model.text(),
      by_name: model.text(),
      at: model.dateTime(),
    }
  )
  .indexes([{ on: ["version"], unique: true }])

/** An event of the plugin; see `database/outbox.ts`. */
export const Event = model
  .define("payment_service_event", {
    id: model.id({ prefix: "psevt" }).primaryKey(),
    name: model.text(),
    data: model.json(),
    written_at: model.dateTime(),
    /** The time to send it, or to send it again if the sender died; null once it is sent. */
    send_at: model.dateTime().nullable(),
  })
  .indexes([{ on: ["send_at"] }])

/** Work that only one process may do at a time; see `database/leases.ts`. */
export const Lease = model.define("payment_service_lease", {
  id: model.text().primaryKey(),
  holder: model.text(),
  until: model.dateTime(),
})

/** Keys that are made once and must never change, such as the key for guests' payer ids. */
export const GeneratedKey = model.define("payment_service_generated_key", {
  /** `pskey_` and the key's name. */
  id: model.text().primaryKey(),
  /** 32 random bytes, base64. */
  value: model.text(),
})
