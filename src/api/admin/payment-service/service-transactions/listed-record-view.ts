import type { MedusaContainer } from "@medusajs/framework/types"

import { findNumbersFor } from "../../../../medusa/search"
import { paymentServiceModule } from "../../../../modules/payment-service"
import type { ListedRecord } from "../../../../workflows/listings/fetch-listing"

/** Records of the service's list, with the present order and cart of our rows. */
export async function listedRecordViews(container: MedusaContainer, records: ListedRecord[]) {
  const ids = records.flatMap(({ rowId }) => rowId ?? [])
  const rows = await paymentServiceModule(container).transactions.findAll(ids)
  const numbers = await findNumbersFor(container, [...rows.values()])
  return records.map((record) => {
    const row = rows.get(record.rowId ?? "")
    return {
      record_id: record.recordId,
      recorded_at: record.createdAt,
      amount: record.amount,
      currency: record.currencyCode,
      status: record.status,
      method: record.paymentMethod,
      description: record.description,
      payload: record.payload,
      transaction_row_id: record.rowId,
      order_id: row?.order_id ?? null,
      order_number: numbers.get(row?.order_id ?? "") ?? null,
      cart_id: row?.cart_id ?? null,
    }
  })
}
