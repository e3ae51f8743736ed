import { model } from "@medusajs/framework/utils"

/**
 * One export of the service's own list, kept for some minutes because the service has no pages: admins sort, search
 * and page in it. Its records are `PaymentServiceListedRecord`.
 */
export const Listing = model
  .define(
    { name: "PaymentServiceListing", tableName: "payment_service_listing" },
    {
      id: model.id({ prefix: "pslist" }).primaryKey(),
      /** A digest of the question: merchant, period, zone and codes. */
      question: model.text(),
      /** The zone of its records' times, which say none. */
      time_zone: model.text(),
      asked_at: model.dateTime(),
      /** The time when the last record had come; null until then. */
      fetched_at: model.dateTime().nullable(),
      /** A `ListingWarning` as JSON, if some records could not be read. */
      warning: model.text().nullable(),
    }
  )
  .indexes([{ name: "IDX_payment_service_listing_question", on: ["question", "fetched_at"] }])
