import { model } from "@medusajs/framework/utils"

/** How an export went: `running` until it has ended, or for ever when its process died. */
export const EXPORT_OUTCOMES = ["running", "complete", "canceled", "failed"] as const

/** Every file that somebody has asked for: who, when, of what, and how many rows it got. */
export const ExportRecord = model
  .define(
    { name: "PaymentServiceExportRecord", tableName: "payment_service_export_record" },
    {
      id: model.id({ prefix: "psexp" }).primaryKey(),
      /** The user, or the secret API key, that asked for it. */
      by: model.text(),
      source: model.enum(["store", "service", "payouts", "payout_journal"]),
      format: model.enum(["csv", "xlsx", "json"]),
      /** The file's name. */
      name: model.text(),
      /** The filters, as they were asked for. */
      filters: model.json(),
      started_at: model.dateTime(),
      finished_at: model.dateTime().nullable(),
      outcome: model.enum([...EXPORT_OUTCOMES]).default("running"),
      /** Rows that were written; of an export that did not end in order, those until then. */
      rows: model.number().default(0),
      /** Why it broke off, without secrets. */
      error: model.text().nullable(),
    }
  )
  .indexes([{ name: "IDX_payment_service_export_record_started_at", on: ["started_at"] }])
