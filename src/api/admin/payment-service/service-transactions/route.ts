import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findOrderNumbers } from "../../../../medusa/search"
import { paymentServiceModule } from "../../../../modules/payment-service"
import type { ListingWarning } from "../../../../modules/payment-service/listings"
import { refusalText } from "../../../../settlement/problems/refusals"
import { fetchListing } from "../../../../workflows/listings/fetch-listing"
import { inReadersLanguage } from "../in-readers-language"
import { codesOf } from "../labelled-codes"
import { queryOf, sortOf } from "../query-fields"
import { recordSearch } from "../transactions/search-terms"
import { meaningAt, merchantOf, ownerOf, questionOf } from "./merchant-of"
import type { RecordsQuery } from "./validators"

/**
 * Lists the service's own records of a period, at most five minutes old. Each has its transaction, order and cart of this store;
 * they are null for a record that the store does not know. `totals` are of all matching records, by status, method and currency;
 * `status_name` leaves them as they are, so that they lead from one status to another. `meaning` is a status's by the options.
 */
export const GET = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest, res: MedusaResponse) => {
    const module = paymentServiceModule(req.scope)
    const query = queryOf(req) as RecordsQuery
    const { q, known, status_name: names, order, limit, offset } = query
    const accounts = await module.accounts()
    const merchant = merchantOf(accounts, query.account)
    const question = questionOf(merchant, query)
    const anew = query.refresh ?? false
    const listing = await fetchListing(module, accounts, merchant, question, { anew })
    const filter = {
      ...(q ? { search: await recordSearch(req.scope, q) } : {}),
      ...(known === undefined ? {} : { known }),
    }
    const [records, totals] = await Promise.all([
      module.listings.page(
        listing.id,
        { ...filter, ...(names ? { status: names } : {}) },
        { ...sortOf(order), limit, offset }
      ),
      module.listings.totals(listing.id, filter),
    ])
    const orderIds = records.flatMap(({ order_id }) => order_id ?? [])
    const numbers = await findOrderNumbers(req.scope, orderIds)
    res.json({
      transactions: records.map((record) => ({
        ...record,
        meaning: meaningAt(merchant, record.status),
        order_number: numbers.get(record.order_id ?? "") ?? null,
      })),
      count: totals
        .filter(({ status }) => !names || names.includes(status))
        .reduce((sum, { count }) => sum + count, 0),
      totals: totals.map((total) => ({ ...total, meaning: meaningAt(merchant, total.status) })),
      limit,
      offset,
      ...ownerOf(accounts, query.account, merchant),
      fetched_at: listing.fetched_at,
      warning: listing.warning === null ? null : warningOf(listing.warning),
      codes: {
        statusCodes: codesOf(merchant, "export.statusCodes"),
        methodCodes: codesOf(merchant, "export.methodCodes"),
      },
    })
  }
)

/** Records are left out only where they could not be read; any other failure is an answer without a list. */
function warningOf({ reason, unreadable }: ListingWarning) {
  const refusal = { code: "malformed", detail: reason } as const
  return { ...refusal, messages: refusalText(refusal), unreadable }
}
