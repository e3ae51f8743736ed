import { model } from "@medusajs/framework/utils"

import type { Refusal } from "../../../settlement/problems/refusals"

/** The watcher's last round with something to do; one row per merchant and address. */
export const WatcherRun = model.define(
  { name: "PaymentServiceWatcherRun", tableName: "payment_service_watcher_run" },
  {
    /** See `merchantAccountId`. */
    id: model.text().primaryKey(),
    finished_at: model.dateTime(),
    settled: model.number(),
    failed: model.number(),
    /** Consecutive rounds without any answer of the service; the watcher's pause grows with each. */
    silent_passes: model.number(),
    /** The time since when the service has not answered. */
    silent_since: model.dateTime().nullable(),
    paused_until: model.dateTime().nullable(),
  }
)

/** A comparison with the service's own records of one merchant at one address. Rows are kept for 90 days. */
export const ReconciliationRun = model
  .define(
    { name: "PaymentServiceReconciliationRun", tableName: "payment_service_reconciliation_run" },
    {
      id: model.id({ prefix: "pscmp" }).primaryKey(),
      /** In lower case. */
      merchant_id: model.text(),
      base_url: model.text(),
      /** The time span that was compared. */
      from: model.dateTime(),
      to: model.dateTime(),
      started_at: model.dateTime(),
      /** Null while the comparison runs, and for ever when its process died. */
      finished_at: model.dateTime().nullable(),
      /** Records that the service listed, and the number of them that are ours. */
      records: model.number().default(0),
      matched: model.number().default(0),
      /** Differences found, and the number of them that settling removed. */
      differences: model.number().default(0),
      settled: model.number().default(0),
      /** Problems that opened during it; null when nobody counted them. */
      problems: model.number().nullable(),
      /** The reason for an early end, without secrets; null when it was completed. */
      error: model.text().nullable(),
      /** The same reason as codes, for texts in the reader's language. */
      reasons: model.json<Refusal[]>().nullable(),
    }
  )
  .indexes([
    {
      name: "IDX_payment_service_reconciliation_run_merchant",
      on: ["merchant_id", "base_url", "started_at"],
    },
    { name: "IDX_payment_service_reconciliation_run_started_at", on: ["started_at"] },
  ])
