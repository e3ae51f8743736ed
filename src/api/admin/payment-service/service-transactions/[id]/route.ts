import type { PaymentServiceModuleService } from "../../../../../modules/payment-service"
import type { NotHereFacts } from "../../../../../problems/rules/problems"
import { refusalText } from "../../../../../problems/rules/reasons"
import { keptListing, type ListedRecord } from "../../../../../reconciliation"
import { notFound, refusalOf } from "../../../../../refusals/refused"
import { WHOLE_UUID } from "../../../../../service/schemas"
import { type AskedOf, inReadersLanguage } from "../../in-readers-language"
import { askEachMerchant } from "../../merchants"
import { listedRecordViews } from "../route"

/**
 * Asks the service for one transaction, whether this store knows it or not. `record` is the full answer; `listed` is its record in the
 * list that is kept, which may have another id than its transaction; `compared` is what the latest problem about this id tells, where
 * nothing else does. A failure to ask is an error only where nothing at all is known.
 */
export const GET = inReadersLanguage(async (req: AskedOf<"service-transactions/:id">, module) => {
  const id = req.params.id ?? ""
  if (!WHOLE_UUID.test(id)) throw notFound("no_transaction_id", id)
  const kept = keptListing(module)
  const isMeant = ({ recordId }: ListedRecord) => recordId.toLowerCase() === id.toLowerCase()
  const [accounts, row, [view]] = await Promise.all([
    module.accounts(),
    module.findByTransactionId(id),
    listedRecordViews(req.scope, kept?.records.filter(isMeant) ?? []),
  ])
  const listed = view && kept ? { ...view, time_zone: kept.timeZone } : null
  const account = row ? undefined : req.validatedQuery.account
  const { found, failures } = await askEachMerchant(accounts, account, (client) =>
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
    failures: failures.map(({ merchant, error }) => {
      const refusal = refusalOf(error)
      const [options] = merchant.accounts
      const account = accounts.named.find((named) => named.options === options)?.id ?? null
      const messages = refusalText(refusal)
      return { account, merchant_id: merchant.merchantId, ...refusal, messages }
    }),
  }
})

/** The record of a payment that a comparison did not find in this store; its problem is kept after it was closed. */
async function findCompared(module: PaymentServiceModuleService, id: string) {
  const spellings = [id, id.toLowerCase(), id.toUpperCase()]
  const about = { kind: ["payment_not_here"], transaction_id: spellings }
  const [problem] = await module.problemList.page(about, { order: "-opened_at", limit: 1 })
  const facts = problem?.facts as NotHereFacts | null | undefined
  if (!problem || !facts || !("listed" in facts)) return null
  const { record, listed } = facts
  return { record_id: record, ...listed, seen_at: problem.last_seen_at, problem_id: problem.id }
}
