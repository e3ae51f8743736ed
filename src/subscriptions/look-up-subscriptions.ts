import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"

import { atLabelledPoint } from "../database/labelled-points"
import { type Accounts, paymentServiceModule } from "../modules/payment-service"
import { sendEvents } from "../payments/core"
import { reasonOf } from "../refusals/reason-of"
import { PaymentServiceError } from "../service/errors"
import { subscriptionView } from "./list-subscriptions"
import { type DueLookup, lookupMerchants } from "./statements/lookups"

/** The service is asked for one id in this time, on all instances together. Timers may end a little early. */
const TURN_MS = 1_050
const LONGEST_PASS_MS = 60_000
/** A service that answers nothing gets this pause, or the one that it asks for. */
const SILENCE_MS = 4_000
const LEASE = { ttlMs: 10_000 }

/** Asks for the ids that callbacks have named, one after the other, unless another instance does so; the next pass goes on. */
export async function lookUpDue(container: MedusaContainer, accounts: Accounts): Promise<void> {
  const { leases, subscriptionLookups } = paymentServiceModule(container)
  const end = Date.now() + LONGEST_PASS_MS
  await leases.holdIfFree("subscriptions", LEASE, async () => {
    for (let lookup; Date.now() < end && (lookup = await subscriptionLookups.nextDue());) {
      await lookUp(container, accounts, lookup)
    }
  })
}

/** Asks each merchant's service in turn, until one knows the id. */
async function lookUp(
  container: MedusaContainer,
  accounts: Accounts,
  lookup: DueLookup
): Promise<void> {
  const { clock, logger, subscriptionLookups } = paymentServiceModule(container)
  let isUnread = false
  for (const merchant of lookup.is_transaction ? [] : lookupMerchants(accounts)) {
    const {
      merchantId,
      accounts: [account],
    } = merchant
    const turn = sleep(TURN_MS)
    const asked_at = clock.now().toISOString()
    try {
      // A retry would be another call within the same second.
      const found = await accounts.client(account).getSubscription(lookup.id, { retries: 0 })
      await atLabelledPoint("subscription:answered")
      // Its readers are the shop's own code.
      const subscription = subscriptionView(found, true)
      const event = { subscription_id: found.id, merchant_id: merchantId, asked_at, subscription }
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
        await sleep(Math.min(pauseMs, LONGEST_PASS_MS))
      }
    }
    await turn
  }
  await (isUnread ? subscriptionLookups.putOff(lookup) : subscriptionLookups.recordUnknown(lookup))
}
