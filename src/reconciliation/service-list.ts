import type { Accounts, PaymentServiceModuleService } from "../modules/payment-service"
import { merchantAccountId } from "../payments/rules/transaction"
import { refused } from "../refusals/refused"
import type { ExportFilter } from "../service/client"
import { type ExportedTransaction, type OddTransaction, readRecord } from "../service/schemas"
import type { ConfiguredMerchant } from "../settings/accounts"
import { compareSums, sumOf } from "../values/amount"

/** The question to the service: a span, a time zone, and numeric codes as text, of which none means all. */
export type ListingQuestion = Required<ExportFilter>

export interface Asking {
  module: PaymentServiceModuleService
  accounts: Accounts
  merchant: ConfiguredMerchant
}

/** A merchant's records as they arrive, each with our row of it; those that are not as specified go to `odd`. */
export async function* readList(
  { module, accounts, merchant }: Asking,
  question: ListingQuestion,
  longestMs: number,
  odd: OddTransaction[]
) {
  const client = accounts.client(merchant.accounts[0])
  const signal = AbortSignal.timeout(longestMs)
  for await (const batch of client.exportTransactions(question, { signal })) {
    const readable: ExportedTransaction[] = []
    for (const record of batch.map(readRecord)) {
      if ("odd" in record) odd.push(record)
      else readable.push(record)
    }
    const rowOf = await module.transactionList.finderFor(merchant.merchantId, readable)
    yield readable.map((record) => ({ record, row: rowOf(record) }))
  }
}

/** The fault of the first of these records, and their number; null when there are none. */
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
type Listing = Awaited<ReturnType<typeof fetchNow>>

const KEPT_MS = 5 * 60_000
/** Some 40 MB. */
const MOST_RECORDS = 50_000
const LONGEST_MS = 10 * 60_000

/** The last question, for all who ask the same while it is answered and for a while after that. */
let last: { question: string; answer: Promise<Listing>; listing: Listing | null } | null = null

/** A merchant's list at the service, at most five minutes old; with `anew`, of earlier answers only one under way counts. */
export async function fetchListing(of: Asking, asked: ListingQuestion, anew: boolean) {
  const question = JSON.stringify([merchantAccountId(of.merchant), asked])
  if (last?.question === question && (!last.listing || (keptListing(of.module) && !anew))) {
    return await last.answer
  }
  const answer = fetchNow(of, asked)
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

export function keptListing({ clock }: PaymentServiceModuleService): Listing | null {
  const listing = last?.listing
  const isFresh = listing && clock.now().getTime() - listing.fetchedAt.getTime() <= KEPT_MS
  return isFresh ? listing : null
}

async function fetchNow(of: Asking, question: ListingQuestion) {
  const records: ListedRecord[] = []
  const odd: OddTransaction[] = []
  for await (const batch of readList(of, question, LONGEST_MS, odd)) {
    for (const { record, row } of batch) records.push({ ...record, rowId: row?.id ?? null })
    if (records.length + odd.length > MOST_RECORDS) {
      throw refused("list_too_long", { most: MOST_RECORDS })
    }
  }
  const { timeZoneId: timeZone } = question
  return { fetchedAt: of.module.clock.now(), timeZone, records, warning: unreadableIn(odd) }
}

/** A record is found by a part of its texts, by its amount (decimal text), or by its row: `meant` has the ids of our rows. */
export interface RecordSearch {
  text: string
  amount: string | null
  meant: Set<string>
}

/** `known`: whether this store has a transaction for the record. `status`: statuses as the records have them. */
export interface RecordFilter {
  search?: RecordSearch | undefined
  known?: boolean | undefined
  status?: string[] | undefined
}

export function isWanted(
  record: ExportedTransaction | OddTransaction,
  rowId: string | null,
  { search, known, status }: RecordFilter
): boolean {
  if (known !== undefined && known !== (rowId !== null)) return false
  if (status && (record.status === null || !status.includes(record.status))) return false
  if (!search) return true
  const { recordId, payload, description, amount } = record
  const text = search.text.toLowerCase()
  return (
    [recordId, payload, description].some((one) => one?.toLowerCase().includes(text)) ||
    (search.amount !== null && amount !== null && compareSums(amount, search.amount) === 0) ||
    (rowId !== null && search.meant.has(rowId))
  )
}

/** The fields by which records may be sorted. Service's times sort as text. */
export const RECORDS_SORTED_BY = {
  created_at: ({ createdAt }: ListedRecord) => createdAt ?? "",
  amount: ({ amount }: ListedRecord) => Number(amount),
  status: ({ status }: ListedRecord) => status,
}

/** The records in order; of equal ones, the later in the list counts as larger. */
export function sortedRecords(
  records: ListedRecord[],
  { by, descending }: { by: keyof typeof RECORDS_SORTED_BY; descending: boolean }
): ListedRecord[] {
  const value = RECORDS_SORTED_BY[by]
  const sorted = records.toSorted((one, other) => {
    const [left, right] = [value(one), value(other)]
    return Number(left > right) - Number(left < right)
  })
  return descending ? sorted.reverse() : sorted
}

/** The numbers of records by status, method and currency, and their sums (decimal text); the largest number first. */
export function totalsOf(records: ListedRecord[]) {
  const groups = new Map<string, [ListedRecord, ...ListedRecord[]]>()
  for (const record of records) {
    const key = JSON.stringify([record.status, record.paymentMethod, record.currencyCode])
    const group = groups.get(key)
    if (group) group.push(record)
    else groups.set(key, [record])
  }
  const totals = [...groups.values()].map((group) => {
    const [{ status, paymentMethod: method, currencyCode: currency }] = group
    return { status, method, currency, count: group.length, amount: sumOf(group) }
  })
  return totals.toSorted((one, other) => other.count - one.count)
}
