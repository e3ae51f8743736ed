import type { MedusaContainer } from "@medusajs/framework/types"

import {
  type Accounts,
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../modules/payment-service/accounts"
import { asError, reasonOf, refusalOf } from "../../modules/payment-service/reason-of"
import { refused } from "../../modules/payment-service/refused-deed"
import type { Refusal } from "../../settlement/problems/refusals"
import { lastDays, type Span, spanToCompare } from "../../settlement/reconciliation-schedule"
import { COMPARISON_LEASE, LONGEST_BACKGROUND_SETTLE_MS } from "../../settlement/timing"
import {
  closeRefusedCredentials,
  reportRefusedCredentials,
} from "../../transactions/read-transaction"
import { sendEvents } from "../events/send-events"
import type { UnreadableRecords } from "../listings/merchant-exports"
import { reportForgottenOrders } from "../orders/unpaid-orders"
import type { Comparison } from "./comparison"
import { findInList } from "./find-in-list"
import { findInMedusa, tellOfHeld } from "./find-in-medusa"
import { followSettled } from "./follow-settled"
import { settleDiffering } from "./settle-differing"

export const RECONCILIATION_LEASE = "reconciliation"

/** A merchant whose records must be compared, and the span of time. */
interface DueComparison {
  merchant: ConfiguredMerchantAccount
  span: Span
}

/**
 * Compares our rows and Medusa's payments with the service's own records, for each merchant whose comparison is due (see
 * `spanToCompare`). Returns at once while another instance does so. Merchants without transactions are left out. A repeated or
 * killed comparison has the same result.
 */
export async function reconcile(
  container: MedusaContainer,
  longestSettleMs = LONGEST_BACKGROUND_SETTLE_MS
): Promise<void> {
  const module = paymentServiceModule(container)
  await module.leases.tryHold(RECONCILIATION_LEASE, COMPARISON_LEASE, async () => {
    const accounts = await module.accounts()
    const due: DueComparison[] = []
    for (const merchant of accounts.merchantAccounts()) {
      const last = await module.reconciliation.lastRun(merchant)
      const span = spanToCompare(last, module.clock.now(), daysOf(merchant))
      const others = accounts.merchantsBut(merchant)
      if (span && (await module.reconciliation.hasTransactions(merchant, others))) {
        due.push({ merchant, span })
      }
    }
    await compareAll(container, accounts, due, longestSettleMs)
  })
}

/**
 * Begins a comparison of the last days of these merchants, which runs in the background.
 *
 * @returns the comparisons; merchants without transactions are left out
 * @throws MedusaError `NOT_ALLOWED` while a comparison runs, and when there is nothing to compare
 */
export async function compareNow(
  container: MedusaContainer,
  accounts: Accounts,
  merchants: ConfiguredMerchantAccount[]
): Promise<DueComparison[]> {
  const module = paymentServiceModule(container)
  const now = module.clock.now()
  const due: DueComparison[] = []
  for (const merchant of merchants) {
    if (await module.reconciliation.hasTransactions(merchant, accounts.merchantsBut(merchant))) {
      due.push({ merchant, span: lastDays(now, daysOf(merchant)) })
    }
  }
  if (!due.length) throw refused("nothing_to_compare")
  const isFree = await new Promise<boolean>((answer, fail) => {
    const held = module.leases.tryHold(RECONCILIATION_LEASE, COMPARISON_LEASE, async () => {
      answer(true)
      await compareAll(container, accounts, due)
    })
    held.then(
      () => answer(false),
      (error: unknown) => {
        module.logger.error(`Payment Service: a comparison broke off: ${reasonOf(error)}`)
        fail(asError(error))
      }
    )
  })
  if (!isFree) throw refused("comparison_running")
  return due
}

/** Accounts of one merchant may have different numbers of days; the largest covers all. */
function daysOf({ accounts }: ConfiguredMerchantAccount): number {
  return Math.max(...accounts.map(({ reconcile: { days } }) => days))
}

async function compareAll(
  container: MedusaContainer,
  accounts: Accounts,
  due: DueComparison[],
  longestSettleMs = LONGEST_BACKGROUND_SETTLE_MS
): Promise<void> {
  const module = paymentServiceModule(container)
  for (const one of due) await compare(container, module, accounts, one, longestSettleMs)
  await reportForgottenOrders(container)
  await sendEvents(container)
}

/** Finds what differs, settles it, and tells of what a settle cannot tell of: money without a row, and what Medusa has lost. */
async function compare(
  container: MedusaContainer,
  module: PaymentServiceModuleService,
  accounts: Accounts,
  { merchant, span }: DueComparison,
  longestSettleMs: number
): Promise<void> {
  const begun = await module.reconciliation.begin(merchant, span)
  const limits = { ...accounts.store.watcher, longestSettleMs }
  const counts = { records: 0, matched: 0, differences: 0, settled: 0 }
  const place = { container, module, accounts, merchant, span }
  const comparison: Comparison = { ...place, limits, counts, differing: new Map() }
  const errors: unknown[] = []
  const attempt = async <T>(work: Promise<T>): Promise<T | null> =>
    await work.catch((error: unknown) => {
      errors.push(error)
      return null
    })
  const unreadable = await attempt(findInList(comparison))
  const held = await attempt(findInMedusa(comparison))
  counts.differences += comparison.differing.size
  await attempt(settleDiffering(comparison))
  if (held) await attempt(tellOfHeld(comparison, held))
  await attempt(followSettled(comparison))

  for (const error of errors) await reportRefusedCredentials(module, merchant, error)
  if (!errors.length) await closeRefusedCredentials(module, merchant)
  const ended = endOf(errors, unreadable)
  await module.reconciliation.finish(begun, merchant, counts, ended)
  const summary =
    `Payment Service: merchant ${merchant.merchantId} has ${counts.records} records, ${counts.matched} of them ` +
    `ours, with ${counts.differences} differences, ${counts.settled} of them settled`
  if (ended) module.logger.warn(`${summary}. It did not compare everything: ${ended.error}`)
  else module.logger.info(summary)
}

/** Why a comparison does not cover everything: what failed or, if nothing did, the records that could not be read. */
function endOf(
  errors: unknown[],
  unreadable: UnreadableRecords | null
): { error: string; reasons: Refusal[] } | null {
  if (errors.length) {
    return {
      error: [...new Set(errors.map(reasonOf))].join("; "),
      reasons: errors.map(refusalOf),
    }
  }
  if (!unreadable) return null
  const { reason: detail, unreadable: count } = unreadable
  const error = `${count} of the list's records could not be read: ${detail}`
  return { error, reasons: [{ code: "records_unreadable", detail }] }
}
