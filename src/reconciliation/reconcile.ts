import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"
import pLimit from "p-limit"

import { atLabelledPoint } from "../database/labelled-points"
import { type Accounts, paymentServiceModule } from "../modules/payment-service"
import { sendEvents } from "../payments/ports"
import { Queue, queueOf, reportUnread } from "../payments/queue"
import { closeRefusedCredentials, reportRefusedCredentials } from "../payments/read-transaction"
import { COMPARISON_LEASE, freshSince, LONGEST_LAG_MS } from "../payments/rules/timing"
import { causeOfNoComparison, causeOfRecord, problem } from "../problems/rules/problems"
import { asError, reasonOf, refusalOf, refused } from "../refusals/refused"
import { bindConfirmed } from "../problems/actions"
import { PaymentServiceError } from "../service/errors"
import type { ConfiguredMerchant } from "../settings/accounts"
import type { Period } from "../values/local-days"
import {
  type Comparison,
  findInList,
  findInMedusa,
  followSettled,
  reportNotHere,
  tellOfHeld,
} from "./find-differences"
import { isComparisonDue, type ListedRecord, spanToCompare } from "./rules/comparison"
import type { Reconciliation } from "./statements/runs"

export const RECONCILIATION_LEASE = "reconciliation"

const LONGEST_WITHOUT_COMPARISON_MS = 48 * 60 * 60_000

/** Makes the comparisons that are due, of each merchant that has transactions, unless another instance is comparing. */
export async function reconcile(container: MedusaContainer): Promise<void> {
  const module = paymentServiceModule(container)
  await module.leases.holdIfFree(RECONCILIATION_LEASE, COMPARISON_LEASE, async () => {
    const accounts = await module.accounts()
    const now = module.clock.now()
    const configured = accounts.merchantAccounts()
    const used = await withTransactions(module.reconciliation, configured)
    // Payments of accounts that are configured no more are looked at with the first comparison: of whichever merchant, if it is for them alone.
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
) {
  const module = paymentServiceModule(container)
  const span = spanToCompare(module.clock.now())
  const merchants = await withTransactions(module.reconciliation, asked)
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

async function withTransactions(reconciliation: Reconciliation, asked: ConfiguredMerchant[]) {
  const have = await Promise.all(asked.map((one) => reconciliation.hasTransactions(one)))
  return asked.filter((_, index) => have[index])
}

async function compareAll(
  container: MedusaContainer,
  accounts: Accounts,
  merchants: ConfiguredMerchant[],
  span: Period
): Promise<void> {
  const module = paymentServiceModule(container)
  for (const merchant of merchants) {
    const counts = { records: 0, matched: 0, differences: 0, settled: 0 }
    const begun = { container, module, accounts, merchant, span, counts, differing: new Map() }
    // Orders and taken payments are looked at once, with the first comparison.
    await compare(begun, merchant === merchants[0])
  }
  await sendEvents(container)
}

/** Finds what differs, settles it, and tells of what a settle cannot tell of: money without a row, and what Medusa has lost. */
async function compare(comparison: Comparison, isFirst: boolean): Promise<void> {
  const { module, merchant, counts } = comparison
  const run = await module.reconciliation.begin(merchant, comparison.span)
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
    : unreadable && {
        error: `${unreadable.unreadable} of the list's records could not be read: ${unreadable.reason}`,
        reasons: [{ code: "records_unreadable" as const, detail: unreadable.reason }],
      }
  await module.reconciliation.finish(run, counts, ended)
  if (unlisted) await reportNoComparison(comparison, unlisted)
  else await module.problems.close([causeOfNoComparison(merchant)])
}

/** One that fails is repeated, and its page says so; a person is told when none succeeds for days. */
async function reportNoComparison({ module, merchant }: Comparison, error: unknown): Promise<void> {
  const { merchantId, baseUrl } = merchant
  const since = await module.reconciliation.incompleteSince(merchant)
  const now = Number(module.clock.now())
  if (!since || now - Number(since) < LONGEST_WITHOUT_COMPARISON_MS) return
  const facts = { merchantId, baseUrl, since: since.toISOString(), uncompared: refusalOf(error) }
  await module.problems.report(problem("service_unreachable", facts), {}, since)
}

/** So few that places in the queue are left for payments that somebody waits for. */
const AT_ONCE = 2

/** Settles the rows that differ: the service's answer for each alone counts. A failed one does not stop the others. */
async function settleDiffering(comparison: Comparison): Promise<void> {
  const pauseMs = (AT_ONCE * 1_000) / comparison.accounts.store.watcher.readsPerSecond
  const inTurn = pLimit(AT_ONCE)
  const failures: string[] = []
  const attempt = async ([rowId, record]: [string, ListedRecord | null]) => {
    // Nobody waits for it. A service that refused because it was asked too often would not be asked for other payments either.
    await sleep(pauseMs)
    await settle(comparison, rowId, record).catch((error: unknown) => {
      failures.push(reasonOf(error))
    })
  }
  await Promise.all([...comparison.differing].map((each) => inTurn(attempt, each)))
  if (failures.length) {
    throw new Error(`${failures.length} differences could not be looked at: ${failures[0]}`)
  }
}

/** @param record the paid record of the service's list, if there is one */
async function settle(comparison: Comparison, rowId: string, record: ListedRecord | null) {
  const { module, accounts, merchant, counts } = comparison
  const row = await module.transactions.get(rowId)
  if (!accounts.findForRow(row)) {
    return await reportUnread(module, row, { code: "no_account", detail: "" }, "unread")
  }
  try {
    if (row.transaction_id === null) {
      if (!record) return
      const isBound = await bindConfirmed(comparison, row, record.recordId)
      if (!isBound) return await reportNotHere(comparison, record, row)
    }
    await atLabelledPoint("reconciliation:bound")
    const bound = await module.transactions.get(rowId)
    const since = freshSince(module.clock.now())
    const waiting = { mustReadAnew: false, giveUpAt: Date.now() + Queue.longestChangeMs }
    const settled = await queueOf(module).settle(bound, waiting)
    if (Number(settled.read_at) < Number(since)) {
      throw new Error(`transaction ${settled.transaction_id} was not read in time`)
    }
    counts.settled++
    if (!record) return
    if (settled.paid_at !== null) {
      await module.problems.close([causeOfRecord(merchant.merchantId, record.recordId)])
    } else if (module.clock.now().getTime() - settled.opened_at.getTime() >= LONGEST_LAG_MS) {
      await reportNotHere(comparison, record, settled)
    }
  } catch (error) {
    if (!(error instanceof PaymentServiceError)) throw error
    // The read itself has told of a paid row that the service does not know.
    if (error.kind === "not_found" && (row.state === "paid" || !record)) return
    if (record && row.transaction_id === null) await reportNotHere(comparison, record, row)
    else if (record || row.state === "paid") {
      await reportUnread(module, row, refusalOf(error), "unread")
    }
    throw error
  }
}
