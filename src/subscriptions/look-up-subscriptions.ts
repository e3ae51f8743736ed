import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"

import { atLabelledPoint } from "../database/labelled-points"
import { type Accounts, paymentServiceModule } from "../modules/payment-service"
import { sendEvents } from "../payments/core"
import { isUnanswered } from "../payments/report"
import { merchantAccountId } from "../payments/rules/transaction"
import { reasonOf } from "../refusals/reason-of"
import { PaymentServiceError } from "../service/errors"
import { subscriptionView } from "./list-subscriptions"
import { type ClaimedLookup, lookupMerchants, TURN_MS } from "./statements/lookups"

/** The pause after an attempt without an answer: 4, 8, 16 … s. */
const FIRST_PAUSE_MS = 4_000
const LONGEST_PAUSE_MS = 10 * 60_000

/** Asks for the next id that callbacks have named, if it is this process's turn. Returns whether another may be due after it. */
export async function lookUpNext(container: MedusaContainer, accounts: Accounts): Promise<boolean> {
  const lookup = await paymentServiceModule(container).subscriptionLookups.claimDue()
  if (!lookup) return false
  // Timers may end a little early.
  await Promise.all([lookUp(container, accounts, lookup), sleep(TURN_MS + 50)])
  return true
}

async function lookUp(container: MedusaContainer, accounts: Accounts, lookup: ClaimedLookup) {
  const module = paymentServiceModule(container)
  const { subscriptionLookups } = module
  const left = lookupMerchants(accounts).filter(
    (one) => !lookup.unknown_to.includes(merchantAccountId(one))
  )
  const merchant = left.find((one) => merchantAccountId(one) === lookup.merchant) ?? left[0]
  if (lookup.is_transaction || !merchant) return await subscriptionLookups.forget(lookup)
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
      // Its readers are the shop's own code.
      subscription: subscriptionView(subscription, true),
    })
    await sendEvents(container)
  } catch (error) {
    if (!(error instanceof PaymentServiceError)) throw error
    // A refused question is refused again, so the id is none of this merchant's either.
    if (error.kind === "not_found" || error.kind === "invalid") {
      const hasOthers = left.length > 1
      return await subscriptionLookups.recordUnknown(lookup, merchantAccountId(merchant), hasOthers)
    }
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

const atMost = (pauseMs: number) => Math.min(pauseMs, LONGEST_PAUSE_MS)
