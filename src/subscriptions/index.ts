/**
 * Recurring payments, which the service makes and this plugin only shows. With the option `subscriptions.callbacks`, ids in callbacks
 * that are no transactions of ours may be subscriptions: the queue claims them after all payments, one a second in the whole store and
 * known subscriptions first, and `lookUp` writes an event of what it found.
 */

import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"

import { atLabelledPoint } from "../database/labelled-points"
import { type Accounts, paymentServiceModule } from "../modules/payment-service"
import { sendEvents } from "../payments/ports"
import { reasonOf } from "../refusals/refused"
import type {
  PaymentServiceClient,
  Subscription,
  SubscriptionListItem,
  SubscriptionQuery,
} from "../service/client"
import { nullIfNotFound, PaymentServiceError } from "../service/errors"
import { type Lookup, lookupMerchants } from "./statements/lookups"

/** The most calls for one question, however small the service's own pages are. */
const MOST_CALLS = 25
const LONGEST_LIST_MS = 30_000

/** A part of the service's list. The numbers of its pages are not shown: the first is asked for without one, and its answer believed. */
export async function listSubscriptions(
  client: PaymentServiceClient,
  {
    limit,
    offset,
    ...filter
  }: Omit<SubscriptionQuery, "page" | "size"> & { limit: number; offset: number }
) {
  const options = { signal: AbortSignal.timeout(LONGEST_LIST_MS) }
  // For the list, a 404 means that it is empty.
  const ask = (question: Pick<SubscriptionQuery, "page" | "size">) =>
    nullIfNotFound(client.listSubscriptions({ ...filter, ...question }, options))
  let asked: { size?: number } = { size: limit }
  const answer = await ask(asked).catch((error: unknown) => {
    if (!(error instanceof PaymentServiceError) || error.kind !== "invalid") throw error
    // If the service refuses the size, pages of its default size are asked for.
    return ask((asked = {}))
  })
  if (!answer) return { subscriptions: [], unreadable: 0, count: 0, limit }
  const size = Math.max(answer.size, answer.items.length, 1)
  const end = Math.min(offset + limit, answer.total)
  const found: typeof answer.items = []
  const start = Math.floor(offset / size)
  const stop = start + (start ? MOST_CALLS - 1 : MOST_CALLS)
  for (let index = start; index < stop && offset + found.length < end; index++) {
    const number = answer.page + index
    const page = index === 0 ? answer : await ask({ page: number, ...asked })
    if (page?.page !== number) break
    found.push(...page.items.slice(offset + found.length - index * size, end - index * size))
    // After a page that holds less than it should, positions are not known any more.
    if (page.items.length < size) break
  }
  const subscriptions = found.filter((item) => item !== null)
  const isCut = found.length > 0 && offset + found.length < end
  return {
    subscriptions,
    /** The number of places whose subscription has no readable id, and is left out. */
    unreadable: found.length - subscriptions.length,
    count: Math.max(answer.total, 0),
    /** The number of places looked at: fewer than were asked for when the service's own pages are very small. */
    limit: isCut ? found.length : limit,
  }
}

/** The times of lists and of single subscriptions may differ by fractions of a second. */
const AROUND_MS = 60_000
const MOST_AROUND = 100

/** A subscription's entry in the service's list, which alone has its codes; null when the list has none, or cannot be asked. */
export async function findListed(client: PaymentServiceClient, { id, createdAt }: Subscription) {
  const at = Date.parse(createdAt ?? "")
  if (Number.isNaN(at)) return null
  const span = { from: new Date(at - AROUND_MS), to: new Date(at + AROUND_MS) }
  const question = { ...span, limit: MOST_AROUND, offset: 0 }
  const found = await listSubscriptions(client, question).catch(() => null)
  return found?.subscriptions.find((one) => one.id.toLowerCase() === id.toLowerCase()) ?? null
}

/** The options' names of an entry's codes; null for a code that no option names. */
export function labelsOf(
  { status, intervalUnit }: SubscriptionListItem,
  codes: Record<"statusCodes" | "intervalCodes", Record<string, string>>
) {
  const labelOf = (code: number | null, byLabel: Record<string, string>) =>
    Object.keys(byLabel).find((label) => Number(byLabel[label]) === code) ?? null
  return {
    status_label: labelOf(status, codes.statusCodes),
    interval_label: labelOf(intervalUnit, codes.intervalCodes),
  }
}

/** The service's facts of a subscription, with names in Medusa's form. In its list, status and interval are codes. */
export const listedSubscriptionView = <Of extends Subscription | SubscriptionListItem>(
  one: Of,
  seesCustomers: boolean
) => ({
  id: one.id,
  status: one.status as Of["status"],
  amount: one.amount as Of["amount"],
  currency: one.currencyCode as Of["currencyCode"],
  interval_unit: one.intervalUnit as Of["intervalUnit"],
  interval_count: one.intervalCount as Of["intervalCount"],
  next_charge_at: one.nextChargeAt,
  last_charge_at: one.lastChargeAt,
  description: one.description,
  created_at: one.createdAt,
  customer_email: seesCustomers ? one.customerEmail : null,
})

export function subscriptionView(subscription: Subscription, seesCustomers: boolean) {
  const { chargeMetrics: metrics } = subscription
  return {
    ...listedSubscriptionView(subscription, seesCustomers),
    start_at: subscription.startAt,
    charge_metrics: metrics && {
      charges_total: metrics.chargesTotal,
      charges_success: metrics.chargesSuccess,
      charges_failed: metrics.chargesFailed,
      total_amount: metrics.totalAmount,
      last_charge_at: metrics.lastChargeAt,
      next_charge_at: metrics.nextChargeAt,
    },
  }
}

/** The service is asked once in this time. Timers may end a little early. */
const CALL_MS = 1_050
/** A service that answers nothing gets this pause, or the one that it asks for. */
const SILENCE_MS = 4_000
const LONGEST_PAUSE_MS = 60_000

/** Asks each merchant's service for a claimed id, until one knows it. It ends when the next may be claimed. */
export async function lookUp(container: MedusaContainer, accounts: Accounts, lookup: Lookup) {
  const { clock, logger, subscriptionLookups } = paymentServiceModule(container)
  let isUnread = false
  for (const merchant of lookup.is_transaction ? [] : lookupMerchants(accounts)) {
    const { merchantId: merchant_id } = merchant
    const turn = sleep(CALL_MS)
    const asked_at = clock.now().toISOString()
    try {
      const client = accounts.client(merchant.accounts[0])
      // A retry would be another call within the same second.
      const found = await client.getSubscription(lookup.id, { retries: 0 })
      await atLabelledPoint("subscription:answered")
      // Its readers are the shop's own code.
      const subscription = subscriptionView(found, true)
      const event = { subscription_id: found.id, merchant_id, asked_at, subscription }
      await subscriptionLookups.recordFound(lookup, event)
      await sendEvents(container)
      return await turn
    } catch (error) {
      if (!(error instanceof PaymentServiceError)) throw error
      // A refused question is refused again, so the id is none of this merchant's either.
      if (error.kind !== "not_found" && error.kind !== "invalid") {
        isUnread = true
        logger.warn(
          `Payment Service: subscription ${lookup.id} could not be read and will be asked for again: ${reasonOf(error)}`
        )
        const pauseMs = error.kind === "malformed" ? 0 : (error.retryAfterMs ?? SILENCE_MS)
        await sleep(Math.min(pauseMs, LONGEST_PAUSE_MS))
      }
    }
    await turn
  }
  if (!isUnread) await subscriptionLookups.recordUnknown(lookup)
}
