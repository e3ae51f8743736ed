import { model } from "@medusajs/framework/utils"

import type { Refusal } from "../../../problems/rules/reasons"

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
    /** Records that the service listed, those of them that are ours, differences, and those of them that settling removed. */
    records: model.number().default(0),
    matched: model.number().default(0),
    differences: model.number().default(0),
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
