import { model } from "@medusajs/framework/utils"

/** The last comparison with the service's own records, one row per merchant and address. */
export const ReconciliationRun = model.define(
  { name: "PaymentServiceReconciliationRun", tableName: "payment_service_reconciliation_run" },
  {
    id: model.text().primaryKey(),
    /** The time span that was compared. */
    from: model.dateTime(),
    to: model.dateTime(),
    started_at: model.dateTime(),
    finished_at: model.dateTime().nullable(),
    /** Records that the service listed, and how many of them are ours. */
    records: model.number().default(0),
    matched: model.number().default(0),
    /** Differences found, and how many of them settled themselves. */
    differences: model.number().default(0),
    settled: model.number().default(0),
    /** Why it ended early, without secrets; null when it went through. */
    error: model.text().nullable(),
  }
)
