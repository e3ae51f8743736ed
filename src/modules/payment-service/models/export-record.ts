import { model } from "@medusajs/framework/utils"

/** The state of an export: `running` until it has ended, or for ever when its process died. */
const EXPORT_OUTCOMES = ["running", "complete", "canceled", "failed"] as const

/** The source of an export: transactions of the store or of the service, or payouts. */
export const EXPORT_SOURCES = ["store", "service", "payouts", "payout_journal"] as const
export const EXPORT_FORMATS = ["csv", "xlsx", "json"] as const

/** A file that was requested: by whom, when, with which filters, and its number of rows. */
export const ExportRecord = model
  .define(
    { name: "PaymentServiceExportRecord", tableName: "payment_service_export_record" },
    {
      id: model.id({ prefix: "psexp" }).primaryKey(),
      /** The user, or the secret API key, that asked for it. */
      by: model.text(),
      source: model.enum([...EXPORT_SOURCES]),
      format: model.enum([...EXPORT_FORMATS]),
      /** The file's name. */
      name: model.text(),
      /** The filters as requested. */
      filters: model.json(),
      started_at: model.dateTime(),
      finished_at: model.dateTime().nullable(),
      outcome: model.enum([...EXPORT_OUTCOMES]).default("running"),
      /** Rows that were written; for an export that broke off, the rows until then. */
      rows: model.number().default(0),
      /** The reason why it broke off, without secrets. */
      error: model.text().nullable(),
      /** The same reason as a code (`RefusalCode`). */
      error_code: model.text().nullable(),
    }
  )
  .indexes([{ name: "IDX_payment_service_export_record_started_at", on: ["started_at"] }])
