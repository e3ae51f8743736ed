import type { MedusaContainer } from "@medusajs/framework/types"

import {
  type Accounts,
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../../../../modules/payment-service"
import type { NotHereFacts } from "../../../../../problems/rules/problems"
import { refusalText } from "../../../../../problems/rules/reasons"
import { keptListing, type ListedRecord } from "../../../../../reconciliation"
import { refusalOf } from "../../../../../refusals/reason-of"
import { notFound } from "../../../../../refusals/refused"
import { WHOLE_UUID } from "../../../../../service/schemas"
import type { ConfiguredMerchant } from "../../../../../settings"
import { type Asked, inReadersLanguage } from "../../in-readers-language"
import { askEachMerchant, merchantsOf } from "../../merchants"
import type { QueryOf } from "../../validators"
import { listedRecordViews } from "../route"

/**
 * Asks the service for one transaction, whether this store knows it or not. `record` is the full answer, or null when the service
 * does not know the id or could not be asked, of which `failures` tell for each merchant; `listed` is its record in a list of the last
 * five minutes. Our row is found by either, because a record may have another id than its transaction. Where all three are missing,
 * `compared` is what the latest problem about this id tells. A failure is an error only where nothing else is known.
 */
export const GET = inReadersLanguage(
  async (req: Asked<unknown, QueryOf<"service-transactions/:id">>) => {
    const module = paymentServiceModule(req.scope)
    const id = req.params.id ?? ""
    if (!WHOLE_UUID.test(id)) throw notFound("no_transaction_id", id)
    const [accounts, row, listed] = await Promise.all([
      module.accounts(),
      module.findByTransactionId(id),
      findListed(req.scope, id),
    ])
    const options = row && accounts.findForRow(row)
    const merchants = options
      ? accounts.merchantAccounts().filter((merchant) => merchant.accounts.includes(options))
      : merchantsOf(accounts, req.validatedQuery.account)
    const { found, failures } = await askEachMerchant(accounts, merchants, (client) =>
      client.getTransaction(id)
    )
    const record = found?.answer ?? null
    const compared = record || listed || row ? null : await findCompared(module, id)
    if (!record && !listed && !row && !compared) {
      throw failures[0]?.error ?? notFound("unknown_transaction", id)
    }
    return {
      record,
      listed,
      compared,
      transaction_row_id: row?.id ?? listed?.transaction_row_id ?? null,
      failures: failures.map(({ merchant, error }) => failureView(accounts, merchant, error)),
    }
  }
)

/** The merchant that could not be asked, and why. `account` is null in a store with one. */
function failureView(accounts: Accounts, merchant: ConfiguredMerchant, error: Error) {
  const refusal = refusalOf(error)
  const [options] = merchant.accounts
  return {
    account: accounts.named().find((named) => named.options === options)?.id ?? null,
    merchant_id: merchant.merchantId,
    ...refusal,
    messages: refusalText(refusal),
  }
}

/** The record with this id in the list that is kept, and the zone of its time. */
async function findListed(container: MedusaContainer, id: string) {
  const listing = keptListing(paymentServiceModule(container))
  const isMeant = ({ recordId }: ListedRecord) => recordId.toLowerCase() === id.toLowerCase()
  const [view] = await listedRecordViews(container, listing?.records.filter(isMeant) ?? [])
  return view && listing ? { ...view, time_zone: listing.timeZone } : null
}

/** The record of a payment that a comparison did not find in this store; its problem is kept after it was closed. */
async function findCompared(module: PaymentServiceModuleService, id: string) {
  const spellings = [id, id.toLowerCase(), id.toUpperCase()]
  const about = { kind: ["payment_not_here"], transaction_id: spellings }
  const [problem] = await module.problemList.page(about, { order: "-opened_at", limit: 1 })
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
