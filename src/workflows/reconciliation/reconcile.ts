import type { MedusaContainer } from "@medusajs/framework/types"

import {
  type Accounts,
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import {
  closeRefusedCredentials,
  reportRefusedCredentials,
} from "../../transactions/read-transaction"
import type { ConfiguredMerchantAccount } from "../../modules/payment-service/accounts"
import { type MerchantAccount, merchantAccountId } from "../../settlement/merchant-account"
import { type Span, spanToCompare, surelyListed } from "../../settlement/reconciliation-schedule"
import { sendEvents } from "../events/send-events"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { reportForgottenOrders } from "../settle/unpaid-orders"
import { LONGEST_BACKGROUND_SETTLE_MS } from "../../settlement/timing"
import { compareList } from "./compare-list"
import { compareOrders } from "./compare-orders"
import { comparePayments } from "./compare-payments"
import { compareUnlisted } from "./compare-unlisted"
import { Comparison } from "./comparison"
import { findRefundsDue } from "./find-refunds-due"

const RECONCILIATION_LEASE = "reconciliation"
/** If the process of a comparison dies, the next one can begin after this long. */
const LEASE_MS = 60_000

/**
 * Compares our rows and Medusa's payments with the service's own records, for each merchant whose comparison
 * is due (see `spanToCompare`). Returns at once while another instance does so. The service is not asked
 * about a merchant without transactions. It may run twice or be killed in the middle: the result is the same.
 */
export async function reconcile(
  container: MedusaContainer,
  longestSettleMs = LONGEST_BACKGROUND_SETTLE_MS
): Promise<void> {
  const module = paymentServiceModule(container)
  await module.leases.tryHold(RECONCILIATION_LEASE, LEASE_MS, async () => {
    const accounts = await module.accounts()
    for (const merchant of accounts.merchantAccounts()) {
      const [last] = await module.listReconciliationRuns({ id: merchantAccountId(merchant) })
      const days = Math.max(...merchant.accounts.map(({ reconcile }) => reconcile.days))
      const span = spanToCompare(last ?? null, module.clock.now(), days)
      if (span && (await module.reconciliation.hasTransactions(merchant))) {
        await compare(container, module, accounts, merchant, span, longestSettleMs)
      }
    }
    await reportForgottenOrders(container)
    await sendEvents(container)
  })
}

async function compare(
  container: MedusaContainer,
  module: PaymentServiceModuleService,
  accounts: Accounts,
  merchant: ConfiguredMerchantAccount,
  span: Span,
  longestSettleMs: number
): Promise<void> {
  const startedAt = await module.reconciliation.begin(merchant, span)
  const limits = { ...accounts.store.watcher, longestSettleMs }
  const comparison = new Comparison(container, module, accounts, merchant, span, startedAt, limits)
  const errors = [
    await failureOf(async () => {
      await compareList(comparison)
      // Only a complete list shows what is missing in it.
      await compareUnlisted(comparison)
    }),
    await failureOf(() => comparePayments(comparison)),
    await failureOf(() => findRefundsDue(comparison)),
    await failureOf(() => compareOrders(comparison)),
  ].filter((error) => error !== null)
  const { counts, failures } = comparison
  const error = errors.length
    ? [...new Set(errors.map(reasonOf))].join("; ")
    : failures.count
      ? `${failures.count} differences could not be looked at: ${failures.first}`
      : null
  await followCredentials(module, merchant, errors)
  if (error === null) {
    await module.problems.closeCompared(merchant, surelyListed(span), startedAt)
  }
  await module.reconciliation.finish(merchant, counts, error)
  const summary =
    `Payment Service: merchant ${merchant.merchantId} has ${counts.records} records, ${counts.matched} of them ` +
    `ours, with ${counts.differences} differences, ${counts.settled} of them settled`
  if (error === null) {
    module.logger.info(summary)
  } else {
    module.logger.warn(`${summary}. The comparison ended early and is made again later: ${error}`)
  }
}

async function failureOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work()
    return null
  } catch (error) {
    return error
  }
}

async function followCredentials(
  module: PaymentServiceModuleService,
  { merchantId, baseUrl }: MerchantAccount,
  errors: unknown[]
): Promise<void> {
  const owner = { merchant_id: merchantId, base_url: baseUrl }
  for (const error of errors) {
    await reportRefusedCredentials(module, owner, error)
  }
  if (!errors.length) {
    await closeRefusedCredentials(module, owner)
  }
}
