import { createHash } from "node:crypto"

import type { Accounts, PaymentServiceModuleService } from "../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../modules/payment-service/accounts"
import type { FetchedListing, ListingWarning } from "../../modules/payment-service/listings"
import { reasonOf } from "../../modules/payment-service/reason-of"
import type { ExportedTransaction } from "../../service/client"
import { PaymentServiceError } from "../../service/errors"
import { merchantAccountId } from "../../settlement/merchant-account"
import { LISTING_LEASE, LONGEST_LISTING_MS } from "../../settlement/timing"

/** The question to the service. Codes are numeric, as text; an empty list means all. */
export interface ListingQuestion {
  from: Date
  to: Date
  timeZone: string
  statusCodes: string[]
  methodCodes: string[]
}

/** The number of records that one statement writes. */
const BATCH = 1_000

/** Listings that this process is fetching; callers with the same question share one answer. */
const underWay = new Map<string, Promise<FetchedListing>>()

/**
 * The service's list of a merchant's transactions, at most five minutes old. The service has no pages, so all instances together
 * fetch one export for each question. With `anew`, a list that had come before is not taken, only one that is under way.
 *
 * @throws PaymentServiceError when the list does not come or breaks off
 */
export async function fetchListing(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  merchant: ConfiguredMerchantAccount,
  question: ListingQuestion,
  { anew = false } = {}
): Promise<FetchedListing> {
  const since = anew ? module.clock.now() : undefined
  const key = createHash("sha256")
    .update(JSON.stringify([merchantAccountId(merchant), question]))
    .digest("hex")
  const fresh = await module.listings.findFresh(key, since)
  if (fresh) {
    return fresh
  }
  let fetching = underWay.get(key)
  if (!fetching) {
    fetching = module.leases
      .hold(`listing:${key}`, LISTING_LEASE, async () => {
        // Another instance may have fetched it while this one waited.
        return (
          (await module.listings.findFresh(key, since)) ??
          (await fetchNow(module, accounts, merchant, question, key))
        )
      })
      .finally(() => underWay.delete(key))
    underWay.set(key, fetching)
  }
  return await fetching
}

async function fetchNow(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  merchant: ConfiguredMerchantAccount,
  { from, to, timeZone, statusCodes, methodCodes }: ListingQuestion,
  key: string
): Promise<FetchedListing> {
  await module.listings.forgetOld()
  const listingId = await module.listings.begin(key, timeZone)
  const records = accounts
    .clientAt(merchant)
    .exportTransactions(
      { from, to, timeZoneId: timeZone, statuses: statusCodes, paymentMethods: methodCodes },
      { signal: AbortSignal.timeout(LONGEST_LISTING_MS) }
    )
  const append = (some: ExportedTransaction[]) =>
    module.listings.append(listingId, merchant.merchantId, some)
  const batch: ExportedTransaction[] = []
  let count = 0
  let warning: ListingWarning | null = null
  try {
    for await (const record of records) {
      batch.push(record)
      count++
      if (batch.length >= BATCH) await append(batch.splice(0))
    }
  } catch (error) {
    // All readable records came before this error, and are shown with a warning.
    const isPartly = error instanceof PaymentServiceError && error.kind === "malformed" && count > 0
    if (!isPartly) throw error
    warning = { reason: reasonOf(error), unreadable: error.unreadable ?? null }
  }
  if (batch.length) await append(batch)
  return await module.listings.finish(listingId, warning)
}
