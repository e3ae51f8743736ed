import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"

import { type Accounts, paymentServiceModule } from "../../modules/payment-service"
import { atLabelledPoint } from "../../modules/payment-service/labelled-points"
import { reasonOf } from "../../modules/payment-service/reason-of"
import {
  type ClaimedLookup,
  lookupMerchants,
  TURN_MS,
} from "../../modules/payment-service/subscription-lookups"
import type { PaymentServiceClient, Subscription } from "../../service/client"
import { PaymentServiceError } from "../../service/errors"
import { sendEvents } from "../ports"
import { isUnanswered } from "../settle/report"
import { subscriptionView } from "./list-subscriptions"

/** The pause after an attempt without an answer: 4, 8, 16 … s. */
const FIRST_PAUSE_MS = 4_000
const LONGEST_PAUSE_MS = 10 * 60_000

/** The watcher begins again after so long, so that work which hangs is told from work that goes on. */
const LONGEST_RUN_MS = 60_000

/**
 * Asks the service for the ids that callbacks have named and that are due, one in each turn of this process, and writes an event for
 * each that is a subscription.
 */
export async function lookUpSubscriptions(
  container: MedusaContainer,
  accounts: Accounts
): Promise<void> {
  const endAt = Date.now() + LONGEST_RUN_MS
  while (Date.now() < endAt) {
    const lookup = await paymentServiceModule(container).subscriptionLookups.claimDue()
    if (!lookup) return
    // Timers may end a little early.
    await Promise.all([lookUp(container, accounts, lookup), sleep(TURN_MS + 50)])
  }
}

async function lookUp(container: MedusaContainer, accounts: Accounts, lookup: ClaimedLookup) {
  const module = paymentServiceModule(container)
  const { subscriptionLookups } = module
  const merchants = lookupMerchants(accounts)
  if (lookup.is_transaction || !merchants.length) {
    return await module.deleteSubscriptionLookups(lookup.id)
  }
  try {
    for (const [index, { merchantId, accounts: options }] of merchants.entries()) {
      // The service is asked once a second, whoever of its merchants is asked about.
      if (index > 0) await sleep(TURN_MS)
      const askedAt = module.clock.now()
      const subscription = await findSubscription(accounts.client(options[0]), lookup.id)
      if (!subscription) continue
      await atLabelledPoint("subscription:answered")
      await subscriptionLookups.recordFound(lookup, {
        subscription_id: subscription.id,
        merchant_id: merchantId,
        asked_at: askedAt.toISOString(),
        subscription: subscriptionView(subscription),
      })
      return await sendEvents(container)
    }
    await subscriptionLookups.recordUnknown(lookup)
  } catch (error) {
    if (!(error instanceof PaymentServiceError)) throw error
    module.logger.warn(
      `Payment Service: subscription ${lookup.id} could not be read and will be asked for again: ${reasonOf(error)}`
    )
    const retryAfterMs = error.retryAfterMs ?? FIRST_PAUSE_MS
    const ownMs = Math.max(FIRST_PAUSE_MS * 2 ** Math.min(lookup.tries, 10), retryAfterMs)
    // An id that the service never answers readably must not keep off others, nor any other for as long as itself.
    const allMs = isUnanswered(error) && error.kind !== "malformed" ? retryAfterMs : 0
    await subscriptionLookups.putOff(lookup, atMost(ownMs), atMost(allMs))
  }
}

/** A refused question is refused again, so the id is none of this merchant's either. */
async function findSubscription(
  client: PaymentServiceClient,
  id: string
): Promise<Subscription | null> {
  // A retry would be another call within the same second.
  return await client.getSubscription(id, { retries: 0 }).catch((error: unknown) => {
    const kind = error instanceof PaymentServiceError && error.kind
    if (kind === "not_found" || kind === "invalid") return null
    throw error
  })
}

const atMost = (pauseMs: number) => Math.min(pauseMs, LONGEST_PAUSE_MS)
