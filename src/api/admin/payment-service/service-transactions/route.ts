import { paymentServiceModule } from "../../../../modules/payment-service"
import { refusalText } from "../../../../settlement/problems/refusals"
import { fetchListing } from "../../../../workflows/listings/fetch-listing"
import { sortedRecords, totalsOf } from "../../../../workflows/listings/list-records"
import { isWanted } from "../../../../workflows/listings/record-filter"
import { inReadersLanguage } from "../in-readers-language"
import { codesOf } from "../labelled-codes"
import { queryOf, sortOf } from "../query-fields"
import { recordSearch } from "../transactions/search-terms"
import { listedRecordViews } from "./listed-record-view"
import { meaningAt, merchantOf, ownerOf, questionOf } from "./merchant-of"
import type { RecordsQuery } from "./validators"

/**
 * Lists the service's own records of a period, at most five minutes old. Each has its transaction, order and cart of this store;
 * they are null for a record that the store does not know. `totals` are of all matching records, by status, method and currency;
 * `status_name` leaves them as they are, so that they lead from one status to another. `meaning` is a status's by the options.
 * `fetch` names the answer of the service; `fetched_anew` says that it is another one than the request named.
 */
export const GET = inReadersLanguage(async (req, res) => {
  const module = paymentServiceModule(req.scope)
  const query = queryOf(req) as RecordsQuery
  const { q, known, status_name: status, order, limit, offset } = query
  const accounts = await module.accounts()
  const merchant = merchantOf(accounts, query.account)
  const question = questionOf(merchant, query)
  const anew = query.refresh ?? false
  const listing = await fetchListing(module, accounts, merchant, question, { anew })
  const search = q ? await recordSearch(req.scope, q) : undefined
  const meant = search ? await module.recordRows.meantBy(search) : new Set<string>()
  const found = listing.records.filter((record) => {
    const row = record.rowId === null ? null : { isMeant: meant.has(record.rowId) }
    return isWanted(record, row, { search, known })
  })
  const ofStatus = status ? found.filter((record) => status.includes(record.status)) : found
  const page = sortedRecords(ofStatus, sortOf(order)).slice(offset, offset + limit)
  const views = await listedRecordViews(req.scope, page)
  res.json({
    transactions: views.map((view) => ({ ...view, meaning: meaningAt(merchant, view.status) })),
    count: ofStatus.length,
    totals: totalsOf(found).map((total) => ({
      ...total,
      meaning: meaningAt(merchant, total.status),
    })),
    limit,
    offset,
    ...ownerOf(accounts, query.account, merchant),
    fetch: listing.id,
    fetched_at: listing.fetchedAt,
    fetched_anew: query.fetch !== undefined && query.fetch !== listing.id,
    warning: listing.warning && warningOf(listing.warning),
    codes: {
      statusCodes: codesOf(merchant, "export.statusCodes"),
      methodCodes: codesOf(merchant, "export.methodCodes"),
    },
  })
})

/** Records are left out only where they could not be read; any other failure is an answer without a list. */
function warningOf({ reason, unreadable }: { reason: string; unreadable: number | null }) {
  const refusal = { code: "malformed", detail: reason } as const
  return { ...refusal, messages: refusalText(refusal), unreadable }
}
