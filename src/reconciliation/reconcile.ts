import type { MedusaContainer } from "@medusajs/framework/types"

import {
  type Accounts,
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../modules/payment-service"
import { sendEvents } from "../payments/core"
import { closeRefusedCredentials, reportRefusedCredentials } from "../payments/read-transaction"
import { COMPARISON_LEASE } from "../payments/rules/timing"
import { causeOfNoComparison, problem } from "../problems/rules/problems"
import { asError, reasonOf, refusalOf } from "../refusals/reason-of"
import { refused } from "../refusals/refused"
import type { ConfiguredMerchant } from "../settings/accounts"
import type { Period } from "../values/local-days"
import type { Comparison } from "./comparison"
import type { UnreadableRecords } from "./fetch-listing"
import { findInList } from "./find-in-list"
import { findInMedusa, tellOfHeld } from "./find-in-medusa"
import { followSettled } from "./follow-settled"
import { isComparisonDue, spanToCompare } from "./rules/schedule"
import { settleDiffering } from "./settle-differing"

export const RECONCILIATION_LEASE = "reconciliation"

/** A person is told when no comparison has succeeded for so long. */
const LONGEST_WITHOUT_COMPARISON_MS = 48 * 60 * 60_000

/**
 * Compares our rows and Medusa's payments with the service's own records, for each merchant whose comparison is due and that has
 * transactions. Returns at once while another instance does so.
 */
export async function reconcile(container: MedusaContainer): Promise<void> {
  const module = paymentServiceModule(container)
  await module.leases.holdIfFree(RECONCILIATION_LEASE, COMPARISON_LEASE, async () => {
    const accounts = await module.accounts()
    const now = module.clock.now()
    const configured = accounts.merchantAccounts()
    const used = await withTransactions(module, configured)
    // Payments of accounts that are configured no more are looked at with the first comparison, so there is one also for them alone.
    const isForOthers = !used.length && (await module.reconciliation.hasTransactions())
    const merchants = isForOthers ? configured.slice(0, 1) : used
    const lasts = await Promise.all(merchants.map((one) => module.reconciliation.lastRun(one)))
    const due = merchants.filter((_, index) => isComparisonDue(lasts[index] ?? null, now))
    await compareAll(container, accounts, due, spanToCompare(now))
  })
}

/** Begins a comparison of the last days of these merchants in the background; those without transactions are left out. */
export async function compareNow(
  container: MedusaContainer,
  accounts: Accounts,
  asked: ConfiguredMerchant[]
): Promise<{ merchants: ConfiguredMerchant[]; span: Period }> {
  const module = paymentServiceModule(container)
  const span = spanToCompare(module.clock.now())
  const merchants = await withTransactions(module, asked)
  if (!merchants.length) throw refused("nothing_to_compare")
  const isFree = await new Promise<boolean>((answer, fail) => {
    const work = async () => {
      answer(true)
      await compareAll(container, accounts, merchants, span)
    }
    module.leases.holdIfFree(RECONCILIATION_LEASE, COMPARISON_LEASE, work).then(
      (held) => answer(held !== null),
      (error: unknown) => {
        module.logger.error(`Payment Service: a comparison broke off: ${reasonOf(error)}`)
        fail(asError(error))
      }
    )
  })
  if (!isFree) throw refused("comparison_running")
  return { merchants, span }
}

/** Those of these merchants that have transactions. */
async function withTransactions(
  { reconciliation }: PaymentServiceModuleService,
  merchants: ConfiguredMerchant[]
): Promise<ConfiguredMerchant[]> {
  const have = await Promise.all(merchants.map((one) => reconciliation.hasTransactions(one)))
  return merchants.filter((_, index) => have[index])
}

async function compareAll(
  container: MedusaContainer,
  accounts: Accounts,
  merchants: ConfiguredMerchant[],
  span: Period
): Promise<void> {
  // Orders and taken payments are looked at once, with the first comparison.
  for (const merchant of merchants) {
    await compare(container, accounts, merchant, span, merchant === merchants[0])
  }
  await sendEvents(container)
}

/** Finds what differs, settles it, and tells of what a settle cannot tell of: money without a row, and what Medusa has lost. */
async function compare(
  container: MedusaContainer,
  accounts: Accounts,
  merchant: ConfiguredMerchant,
  span: Period,
  isFirst: boolean
): Promise<void> {
  const module = paymentServiceModule(container)
  const begun = await module.reconciliation.begin(merchant, span)
  const counts = { records: 0, matched: 0, differences: 0, settled: 0 }
  const place = { container, module, accounts, merchant, span }
  const comparison: Comparison = { ...place, counts, differing: new Map() }
  const errors: unknown[] = []
  const attempt = async <T>(work: Promise<T>): Promise<T | null> =>
    await work.catch((error: unknown) => {
      errors.push(error)
      return null
    })
  const unreadable = await attempt(findInList(comparison))
  const [unlisted] = errors
  const held = await attempt(findInMedusa(comparison))
  counts.differences += comparison.differing.size
  await attempt(settleDiffering(comparison))
  if (held) await attempt(tellOfHeld(comparison, held))
  if (isFirst) await attempt(followSettled(comparison))

  for (const error of errors) await reportRefusedCredentials(module, merchant, error)
  if (!errors.length) await closeRefusedCredentials(module, merchant)
  const ended = errors.length
    ? { error: [...new Set(errors.map(reasonOf))].join("; "), reasons: errors.map(refusalOf) }
    : unreadable && recordsUnreadable(unreadable)
  await module.reconciliation.finish(begun, merchant, counts, ended)
  if (unlisted) await reportNoComparison(module, merchant, unlisted)
  else await module.problems.close([causeOfNoComparison(merchant)])
  const { records, matched, differences, settled } = counts
  const found = `merchant ${merchant.merchantId} has ${records} records, ${matched} of them ours, with ${differences} differences, ${settled} of them settled`
  if (!ended) module.logger.info(`Payment Service: ${found}`)
  else
    module.logger.warn(`Payment Service: ${found}. It did not compare everything: ${ended.error}`)
}

/** One that fails is repeated, and its page says so; a person is told when none succeeds for days. */
async function reportNoComparison(
  module: PaymentServiceModuleService,
  { merchantId, baseUrl }: ConfiguredMerchant,
  error: unknown
): Promise<void> {
  const since = await module.reconciliation.incompleteSince({ merchantId, baseUrl })
  if (!since || module.clock.now().getTime() - since.getTime() < LONGEST_WITHOUT_COMPARISON_MS)
    return
  const facts = { merchantId, baseUrl, since: since.toISOString(), uncompared: refusalOf(error) }
  await module.problems.report(problem("service_unreachable", facts), {}, since)
}

function recordsUnreadable({ reason: detail, unreadable }: UnreadableRecords) {
  const error = `${unreadable} of the list's records could not be read: ${detail}`
  return { error, reasons: [{ code: "records_unreadable" as const, detail }] }
}
