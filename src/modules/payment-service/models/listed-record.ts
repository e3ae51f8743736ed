import { model } from "@medusajs/framework/utils"

/** A record of the service's own list, as the service wrote it. A crash of Postgres empties the table, which is only a copy. */
export const ListedRecord = model
  .define(
    { name: "PaymentServiceListedRecord", tableName: "payment_service_listed_record" },
    {
      id: model.id({ prefix: "psrec" }).primaryKey(),
      listing_id: model.text(),
      record_id: model.text(),
      /** `YYYY-MM-DD HH:mm:ss` in the requested time zone. */
      recorded_at: model.text().nullable(),
      /** Decimal text. */
      amount: model.text(),
      currency: model.text(),
      status: model.text(),
      method: model.text().nullable(),
      description: model.text().nullable(),
      payload: model.text().nullable(),
      /** The transaction of this store that had its id when the list was fetched. */
      transaction_row_id: model.text().nullable(),
    }
  )
  .indexes([
    { name: "IDX_payment_service_listed_record_listing", on: ["listing_id", "recorded_at"] },
  ])
