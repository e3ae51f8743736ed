import type { MedusaContainer } from "@medusajs/framework/types"

import {
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../../../../modules/payment-service"
import { notFound } from "../../../../../modules/payment-service/refused-deed"
import { WHOLE_UUID } from "../../../../../service/uuid"
import type { NotHereFacts } from "../../../../../settlement/problems/comparison"
import { askEachMerchant, failureView } from "../../ask-each-merchant"
import { inReadersLanguage } from "../../in-readers-language"
import type { AccountQuery } from "../../query-fields"
import { keptListings } from "../../../../../workflows/listings/fetch-listing"
import { listedRecordViews } from "../listed-record-view"
import { merchantsOf } from "../merchant-of"

/**
 * Asks the service for one transaction, whether this store knows it or not. `record` is the full answer, or null when the service
 * does not know the id or could not be asked, of which `failures` tell for each merchant; `listed` is its record in a list that
 * this process has fetched in the last five minutes, if there is one. Our row is found by either, because a record may have another id than its
 * transaction. Where all three are missing, `compared` is what a comparison saw of a record with this id, as the latest problem
 * about it tells. A failure is an error only where nothing else is known.
 */
export const GET = inReadersLanguage(async (req, res) => {
  const module = paymentServiceModule(req.scope)
  const id = req.params.id ?? ""
  if (!WHOLE_UUID.test(id)) throw notFound("no_transaction_id", id)
  const [accounts, row, listed] = await Promise.all([
    module.accounts(),
    module.findByTransactionId(id),
    findListed(req.scope, id),
  ])
  const { account } = req.validatedQuery as AccountQuery
  const options = row && accounts.findForRow(row)
  const merchants = options
    ? accounts.merchantAccounts().filter((merchant) => merchant.accounts.includes(options))
    : merchantsOf(accounts, account)
  const { found, failures } = await askEachMerchant(accounts, merchants, (client) =>
    client.getTransaction(id)
  )
  const record = found?.answer ?? null
  const compared = record || listed || row ? null : await findCompared(module, id)
  if (!record && !listed && !row && !compared) {
    throw failures[0]?.error ?? notFound("unknown_transaction", id)
  }
  res.json({
    record,
    listed,
    compared,
    transaction_row_id: row?.id ?? listed?.transaction_row_id ?? null,
    failures: failures.map((failure) => failureView(accounts, failure)),
  })
})

/** The latest record with this id in a list that is kept, and the zone of its time. */
async function findListed(container: MedusaContainer, id: string) {
  for (const { records, timeZone } of [
    ...keptListings(paymentServiceModule(container)).values(),
  ].toReversed()) {
    const record = records.find(({ recordId }) => recordId.toLowerCase() === id.toLowerCase())
    if (!record) continue
    const [view] = await listedRecordViews(container, [record])
    return view ? { ...view, time_zone: timeZone } : null
  }
  return null
}

/** The record of a payment that a comparison did not find in this store; its problem is kept after it was closed. */
async function findCompared(module: PaymentServiceModuleService, id: string) {
  const [problem] = await module.problemList.page(
    { kind: ["payment_not_here"], transaction_id: id },
    { by: "opened_at", descending: true, limit: 1, offset: 0 }
  )
  const facts = problem?.facts as NotHereFacts | null | undefined
  return problem && facts && "listed" in facts
    ? {
        record_id: facts.record,
        ...facts.listed,
        seen_at: problem.last_seen_at,
        problem_id: problem.id,
      }
    : null
}
