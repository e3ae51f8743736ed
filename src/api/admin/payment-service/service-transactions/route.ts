import type { MedusaContainer } from "@medusajs/framework/types"

import { sortOf } from "../../../../database/list-query"
import { findNumbersFor } from "../../../../medusa/search"
import { paymentServiceModule } from "../../../../modules/payment-service"
import { recordSearch } from "../../../../payments"
import { meaningOf } from "../../../../payments/rules/transaction"
import { refusalText } from "../../../../problems/rules/reasons"
import {
  fetchListing,
  isWanted,
  type ListedRecord,
  sortedRecords,
  totalsOf,
} from "../../../../reconciliation"
import { type AskedOf, inReadersLanguage, maySeeCustomers } from "../in-readers-language"
import { merchantOf, questionOf, shownAccount } from "../merchants"

/** Lists the service's own records. `status_name` leaves `totals` as they are, so that they lead from one status to another. */
export const GET = inReadersLanguage(async (req: AskedOf<"service-transactions">, module) => {
  const query = req.validatedQuery
  const { account, known, status_name: status, order, limit, offset, refresh: anew } = query
  const accounts = await module.accounts()
  const merchant = merchantOf(accounts, account)
  const { linkHosts, ...codes } = merchant.accounts[0].export
  const question = questionOf(merchant, query)
  const listing = await fetchListing({ module, accounts, merchant }, question, anew)
  const search = await recordSearch(req.scope, query.q, await maySeeCustomers(req))
  const found = listing.records.filter((one) => isWanted(one, one.rowId, { search, known }))
  const ofStatus = status ? found.filter((record) => status.includes(record.status)) : found
  const page = sortedRecords(ofStatus, sortOf(order)).slice(offset, offset + limit)
  const withMeaning = <Of extends { status: string }>(one: Of) => {
    return { ...one, meaning: meaningOf(one.status, merchant.accounts[0].statuses) }
  }
  return {
    transactions: (await listedRecordViews(req.scope, page)).map(withMeaning),
    count: ofStatus.length,
    totals: totalsOf(found).map(withMeaning),
    limit,
    offset,
    account: shownAccount(accounts, account),
    merchant_id: merchant.merchantId,
    fetched_at: listing.fetchedAt,
    warning: listing.warning && warningOf(listing.warning),
    codes,
  }
})

/** Records that could not be read are left out; any other failure is an answer without a list. */
function warningOf({ reason, unreadable }: { reason: string; unreadable: number }) {
  const refusal = { code: "malformed", detail: reason } as const
  return { ...refusal, messages: refusalText(refusal), unreadable }
}

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
