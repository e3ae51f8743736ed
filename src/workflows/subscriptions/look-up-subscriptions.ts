import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"

import { type Accounts, paymentServiceModule } from "../../modules/payment-service"
import { atLabelledPoint } from "../../modules/payment-service/labelled-points"
import { reasonOf } from "../../modules/payment-service/reason-of"
import {
  type ClaimedLookup,
  lookupMerchants,
} from "../../modules/payment-service/subscription-lookups"
import { PaymentServiceError, type PaymentServiceErrorKind } from "../../service/errors"
import { merchantAccountId } from "../../settlement/merchant-account"
import { sendEvents } from "../events/send-events"
import { subscriptionView } from "./subscription-view"

/** The lease is held between two calls, too, so that no other instance asks in the same second. */
const LEASE = "subscriptions"
const LEASE_MS = 20_000
/** A pass ends after this long, even with more to do, so that other instances have their turn. */
const LONGEST_PASS_MS = 2 * 60_000
/** The time between the beginnings of two calls; a little more than a second, since calls take unequal times. */
const CALL_EVERY_MS = 1_050
/** The pause after an attempt without an answer: 4, 8, 16 … s. */
const FIRST_PAUSE_MS = 4_000
const LONGEST_PAUSE_MS = 10 * 60_000
/** Failures that are not about this id, so that others would fail as well. */
const OUT_OF_ORDER = new Set<PaymentServiceErrorKind>([
  "unauthorized",
  "rate_limited",
  "unavailable",
  "timeout",
])

/**
 * Asks the service for ids that callbacks have named and that belong to no transaction of ours, one call a second on all
 * instances together, and writes events for the subscriptions in the answers.
 */
export async function lookUpSubscriptions(container: MedusaContainer, accounts: Accounts) {
  const module = paymentServiceModule(container)
  await module.leases.tryHold(LEASE, { ttlMs: LEASE_MS }, async () => {
    const began = performance.now()
    while (performance.now() - began < LONGEST_PASS_MS) {
      const lookup = await module.subscriptionLookups.claimDue()
      if (!lookup) return
      const next = performance.now() + CALL_EVERY_MS
      let mayHaveAsked = true
      try {
        mayHaveAsked = await lookUp(container, accounts, lookup)
      } finally {
        if (mayHaveAsked) await sleep(next - performance.now())
      }
    }
  })
}

/** @returns whether the service was called */
async function lookUp(container: MedusaContainer, accounts: Accounts, lookup: ClaimedLookup) {
  const module = paymentServiceModule(container)
  const { subscriptionLookups } = module
  if (lookup.is_transaction) {
    await subscriptionLookups.forget(lookup)
    return false
  }
  const merchants = lookupMerchants(accounts)
  const left = merchants.filter((one) => !lookup.unknown_to.includes(merchantAccountId(one)))
  const merchant = left.find((one) => merchantAccountId(one) === lookup.merchant) ?? left[0]
  if (!merchant) {
    await subscriptionLookups.giveUp(lookup)
    return false
  }
  const askedAt = module.clock.now()
  try {
    // A retry would be another call within the same second.
    const subscription = await accounts
      .client(merchant.accounts[0])
      .getSubscription(lookup.id, { retries: 0 })
    await atLabelledPoint("subscription:answered")
    await subscriptionLookups.recordFound(lookup, merchantAccountId(merchant), {
      subscription_id: subscription.id,
      merchant_id: merchant.merchantId,
      asked_at: askedAt.toISOString(),
      subscription: subscriptionView(subscription),
    })
    await sendEvents(container)
  } catch (error) {
    if (!(error instanceof PaymentServiceError)) throw error
    // A refused question is refused again, so the id is none of this merchant's either.
    if (error.kind === "not_found" || error.kind === "invalid") {
      await subscriptionLookups.recordUnknown(lookup, merchantAccountId(merchant), left.length > 1)
      return true
    }
    module.logger.warn(
      `Payment Service: subscription ${lookup.id} could not be read and will be asked for again: ${reasonOf(error)}`
    )
    const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(lookup.tries, 10)
    await subscriptionLookups.putOff(lookup, {
      ownMs: atMost(Math.max(pauseMs, error.retryAfterMs ?? 0)),
      // An id of which the service never says anything must not keep off the others for as long as itself.
      othersMs: OUT_OF_ORDER.has(error.kind) ? atMost(error.retryAfterMs ?? FIRST_PAUSE_MS) : 0,
    })
  }
  return true
}

const atMost = (pauseMs: number) => Math.min(pauseMs, LONGEST_PAUSE_MS)
