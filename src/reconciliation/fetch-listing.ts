import { randomUUID } from "node:crypto"

import type { Accounts, PaymentServiceModuleService } from "../modules/payment-service"
import { merchantAccountId } from "../payments/rules/transaction"
import { reasonOf, refused } from "../refusals/refused"
import type { ExportFilter } from "../service/client"
import { PaymentServiceError } from "../service/errors"
import { type ExportedTransaction, type OddTransaction, readRecord } from "../service/schemas"
import type { ConfiguredMerchant } from "../settings/accounts"

/** The question to the service: a span, a time zone, and numeric codes as text, of which none means all. */
export type ListingQuestion = Required<ExportFilter>

/** Records that are not as specified: their number, and what is wrong with the first. */
export type UnreadableRecords = NonNullable<ReturnType<typeof unreadableIn>>

export function unreadableIn([first, ...others]: OddTransaction[]) {
  if (!first) return null
  const { field, reason } = first.odd
  return { reason: `A record's ${field || "shape"} ${reason}`, unreadable: 1 + others.length }
}

/** A record of the service's list, with our row of it when the list was fetched. */
export interface ListedRecord extends ExportedTransaction {
  rowId: string | null
}

/** One answer of the service, kept in this process because the service has no pages: admins sort, search and page in it. */
export interface Listing {
  id: string
  fetchedAt: Date
  timeZone: string
  records: ListedRecord[]
  /** Why records are missing, and how many (null when the list broke off). */
  warning: { reason: string; unreadable: number | null } | null
}

const KEPT_MS = 5 * 60_000
/** The records of one answer; some 40 MB. */
const MOST_RECORDS = 50_000
/** Reading the service's list for a page is stopped after this long. */
const LONGEST_MS = 10 * 60_000

/** The last question, for all who ask the same while it is answered and for a while after that. */
let last: { question: string; answer: Promise<Listing>; listing: Listing | null } | null = null

/** A merchant's list at the service, at most five minutes old; with `anew`, of earlier answers only one under way counts. */
export async function fetchListing(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  merchant: ConfiguredMerchant,
  asked: ListingQuestion,
  { anew = false } = {}
): Promise<Listing> {
  const question = JSON.stringify([merchantAccountId(merchant), asked])
  if (last?.question === question && (last.listing ? keptListing(module) && !anew : true)) {
    return await last.answer
  }
  const answer = fetchNow(module, accounts, merchant, asked)
  const now: typeof last = (last = { question, answer, listing: null })
  const forget = () => {
    if (last === now) last = null
  }
  answer.then((listing) => {
    now.listing = listing
    // Nobody may ask again, and its memory is to be free then.
    setTimeout(forget, KEPT_MS).unref()
  }, forget)
  return await answer
}

/** The list that somebody has asked for last, if it is still kept. */
export function keptListing({ clock }: PaymentServiceModuleService): Listing | null {
  const listing = last?.listing
  const isFresh = listing && clock.now().getTime() - listing.fetchedAt.getTime() <= KEPT_MS
  return isFresh ? listing : null
}

async function fetchNow(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  merchant: ConfiguredMerchant,
  question: ListingQuestion
): Promise<Listing> {
  const records: ListedRecord[] = []
  const odd: OddTransaction[] = []
  let brokenOff: Listing["warning"] = null
  try {
    const signal = AbortSignal.timeout(LONGEST_MS)
    for await (const batch of accounts
      .client(merchant.accounts[0])
      .exportTransactions(question, { signal })) {
      const readable: ExportedTransaction[] = []
      for (const record of batch.map(readRecord)) {
        if ("odd" in record) odd.push(record)
        else readable.push(record)
      }
      const rowOf = await module.transactionList.finderFor(merchant.merchantId, readable)
      for (const record of readable) records.push({ ...record, rowId: rowOf(record)?.id ?? null })
      if (records.length + odd.length > MOST_RECORDS) {
        throw refused("list_too_long", { most: MOST_RECORDS })
      }
    }
  } catch (error) {
    // The records before the break are shown, with a warning.
    const isPartly = error instanceof PaymentServiceError && error.kind === "malformed"
    if (!isPartly || records.length === 0) throw error
    brokenOff = { reason: reasonOf(error), unreadable: null }
  }
  return {
    id: randomUUID(),
    fetchedAt: module.clock.now(),
    timeZone: question.timeZoneId,
    records,
    warning: brokenOff ?? unreadableIn(odd),
  }
}
