import { model } from "@medusajs/framework/utils"

/** The source of an export: transactions of the store or of the service, or payouts. */
const EXPORT_SOURCES = ["store", "service", "payouts"] as const
export type ExportSource = (typeof EXPORT_SOURCES)[number]

export const EXPORT_FORMATS = ["csv", "xlsx", "json"] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** An export that has ended. Rows are only ever added, and do not say what was searched for. */
export const ExportRecord = model
  .define(
    { name: "PaymentServiceExportRecord", tableName: "payment_service_export_record" },
    {
      id: model.id({ prefix: "psexp" }).primaryKey(),
      /** The user, or the secret API key, that asked for it. */
      by: model.text(),
      source: model.enum([...EXPORT_SOURCES]),
      format: model.enum([...EXPORT_FORMATS]),
      /** The period that was asked for, without its end. */
      from: model.dateTime().nullable(),
      to: model.dateTime().nullable(),
      /** Rows that were written; for an export that broke off, the rows until then. */
      rows: model.number(),
      /** `canceled` is an export of which the admin went away before its end. */
      outcome: model.enum(["complete", "canceled", "failed"]),
      /** When it ended. */
      at: model.dateTime(),
    }
  )
  .indexes([{ on: ["at"] }])
