import { generateEntityId } from "@medusajs/framework/utils"

import type { ExportedTransaction } from "../../service/client"
import type { RowId } from "../../settlement/ids"
import type { Clock } from "./clock"
import { MOST_COUNTED } from "./list-query"
import {
  empty,
  join,
  jsonb,
  raw,
  type RunSql,
  sql,
  type Sql,
  storableJson,
  withoutWildcards,
} from "./sql"
import { searchConditions, type TransactionSearch } from "./transaction-list"

/** An older listing is fetched again. */
const FRESH_MS = 5 * 60_000
/** An admin may still page in a replaced listing, but not longer than this. */
const KEPT_MS = 30 * 60_000

/** Why records are missing, and how many; null when the list broke off. */
export interface ListingWarning {
  reason: string
  unreadable: number | null
}

export interface FetchedListing {
  id: string
  fetched_at: Date
  warning: ListingWarning | null
}

/** The possible meanings of a search text; a record is found by any of them. */
export interface RecordSearch extends TransactionSearch {
  /** Part of the record's id, payload or description. `amount` is the record's, the others are of our row. */
  text: string
}

/** Selects records of a listing. */
export interface RecordFilter {
  search?: RecordSearch
  /** Whether this store had a transaction for the record when the listing was fetched. */
  known?: boolean
  /** Statuses as the records have them. */
  status?: string[]
}

/** A record of the service's list, with its transaction of this store, if there is one. */
interface ListedRecord {
  record_id: string
  recorded_at: string | null
  amount: string
  currency: string
  status: string
  method: string | null
  description: string | null
  payload: string | null
  transaction_row_id: RowId | null
  order_id: string | null
  cart_id: string | null
}

/** The sum of the records with one status, method and currency. */
interface RecordTotal {
  status: string
  method: string | null
  currency: string
  count: number
  amount: string
}

/** SQL columns by which records may be sorted. */
export const RECORDS_SORTED_BY = {
  created_at: sql`r.recorded_at`,
  amount: sql`r.amount::numeric`,
  status: sql`r.status`,
}
interface RecordPage {
  by: keyof typeof RECORDS_SORTED_BY
  descending: boolean
  limit: number
  offset: number
}

/** The statuses of a list's records. */
interface ListedStatuses {
  fetched_at: Date
  statuses: { status: string; count: number }[]
}

const SHOWN = sql`r.record_id, r.recorded_at, r.amount, r.currency, r.status, r.method, r.description, r.payload,
  t.id as transaction_row_id, t.order_id, t.cart_id`

const FETCHED = sql`id, fetched_at, warning::jsonb as warning`

/** Copies of the service's own list, in which admins sort, search and page. */
export class Listings {
  constructor(
    private readonly run: RunSql,
    private readonly runWithLongValues: RunSql,
    private readonly clock: Clock
  ) {}

  /** The newest complete answer to a question, unless it is older than five minutes, or had come before the moment. */
  async findFresh(
    question: string,
    since: Date = this.ago(FRESH_MS)
  ): Promise<FetchedListing | null> {
    const [listing] = await this.run<FetchedListing[]>(
      sql`select ${FETCHED} from payment_service_listing
       where question = ${question} and fetched_at > ${since} and deleted_at is null
       order by fetched_at desc limit 1`
    )
    return listing ?? null
  }

  /** @returns the id of a new listing without records */
  async begin(question: string, timeZone: string): Promise<string> {
    const id = generateEntityId("", "pslist")
    await this.run(
      sql`insert into payment_service_listing (id, question, time_zone, asked_at)
       values (${id}, ${question}, ${timeZone}, ${this.clock.now()})`
    )
    return id
  }

  /**
   * Adds records of this merchant to a listing. A record belongs to our row by our reference or, without one, by the record's id,
   * as in the daily comparison.
   */
  async append(
    listingId: string,
    merchantId: string,
    records: ExportedTransaction[]
  ): Promise<void> {
    const isOurs = (row: Sql) =>
      sql`lower(${row}.merchant_id) = ${merchantId.toLowerCase()} and ${row}.deleted_at is null`
    // The random part of an id takes longer than all else that is done for a record, so there is one for all of them.
    const batch = generateEntityId("", "psrec")
    const place = (index: number) => String(index).padStart(6, "0")
    const rows = records.map((record, index) => ({ id: `${batch}_${place(index)}`, ...record }))
    await this.runWithLongValues(
      sql`insert into payment_service_listed_record
         (id, listing_id, record_id, recorded_at, amount, currency, status, method, description, payload,
          transaction_row_id)
       select record.id, ${listingId}::text, "recordId", "createdAt", record.amount, "currencyCode", record.status,
         "paymentMethod", record.description, record.payload, coalesce(by_reference.id, by_key.id)
       from jsonb_to_recordset(${jsonb(rows)}) as record (id text, "recordId" text,
         "createdAt" text, amount text, "currencyCode" text, status text, "paymentMethod" text, description text,
         payload text)
       left join payment_service_transaction by_reference
         on by_reference.id = record.payload and ${isOurs(sql`by_reference`)}
       left join payment_service_transaction by_key
         on by_key.transaction_key = lower(record."recordId") and ${isOurs(sql`by_key`)}`
    )
  }

  async finish(listingId: string, warning: ListingWarning | null): Promise<FetchedListing> {
    const [listing] = await this.run<[FetchedListing]>(
      sql`update payment_service_listing set fetched_at = ${this.clock.now()},
         warning = ${warning && storableJson(warning)} where id = ${listingId} returning ${FETCHED}`
    )
    return listing
  }

  async page(listingId: string, filter: RecordFilter, page: RecordPage): Promise<ListedRecord[]> {
    const direction = raw(page.descending ? "desc nulls last" : "asc nulls first")
    const order = sql`order by ${RECORDS_SORTED_BY[page.by]} ${direction}, r.id ${raw(page.descending ? "desc" : "asc")}`
    return await this.run(
      sql`select ${SHOWN} from (
         select * from payment_service_listed_record r where ${conditionOf(listingId, filter)}
         ${order} limit ${page.limit} offset ${page.offset}) r
       left join payment_service_transaction t on t.id = r.transaction_row_id ${order}`
    )
  }

  /** The numbers of records by status, method and currency, and their sums; the largest number first. */
  async totals(listingId: string, filter: RecordFilter): Promise<RecordTotal[]> {
    return await this.run(
      sql`select r.status, r.method, r.currency, count(*)::int as count, sum(r.amount::numeric)::text as amount
       from payment_service_listed_record r where ${conditionOf(listingId, filter)}
       group by r.status, r.method, r.currency order by count(*) desc, r.status, r.method limit ${MOST_COUNTED}`
    )
  }

  /** The statuses in the latest list of the service that is still kept, the most frequent first; null without such a list. */
  async latestStatuses(): Promise<ListedStatuses | null> {
    const [latest] = await this.run<Pick<FetchedListing, "id" | "fetched_at">[]>(
      sql`select id, fetched_at from payment_service_listing
       where fetched_at is not null and deleted_at is null order by fetched_at desc limit 1`
    )
    if (!latest) return null
    const statuses = await this.run<ListedStatuses["statuses"]>(
      sql`select r.status, count(*)::int as count from payment_service_listed_record r
       where ${conditionOf(latest.id, {})} group by r.status order by count(*) desc, r.status`
    )
    return { fetched_at: latest.fetched_at, statuses }
  }

  /** The latest record with this id in any listing that is still kept, and the zone of its time. */
  async findRecord(recordId: string): Promise<(ListedRecord & { time_zone: string }) | null> {
    const [record] = await this.run<(ListedRecord & { time_zone: string })[]>(
      sql`select ${SHOWN}, l.time_zone from payment_service_listed_record r
       join payment_service_listing l on l.id = r.listing_id
       left join payment_service_transaction t on t.id = r.transaction_row_id
       where lower(r.record_id) = ${recordId.toLowerCase()} and r.deleted_at is null
       order by r.id desc limit 1`
    )
    return record ?? null
  }

  /** Deletes listings in which nobody pages any more. */
  async forgetOld(): Promise<void> {
    const old = sql`select id from payment_service_listing where asked_at < ${this.ago(KEPT_MS)}`
    await this.run(sql`delete from payment_service_listed_record where listing_id in (${old})`)
    await this.run(sql`delete from payment_service_listing where id in (${old})`)
  }

  private ago(ms: number): Date {
    return new Date(this.clock.now().getTime() - ms)
  }
}

function conditionOf(listingId: string, { search, known, status }: RecordFilter): Sql {
  const conditions = [sql`r.listing_id = ${listingId} and r.deleted_at is null`]
  if (status) conditions.push(sql`r.status in (${join(status)})`)
  if (known !== undefined) {
    conditions.push(
      known ? sql`r.transaction_row_id is not null` : sql`r.transaction_row_id is null`
    )
  }
  if (search) {
    const { text, amount, ...ofRow } = search
    const part = `%${withoutWildcards(text)}%`
    const isMeant = join(searchConditions({ ...ofRow, amount: null }), " or ")
    conditions.push(
      sql`(r.record_id ilike ${part} or r.payload ilike ${part} or r.description ilike ${part}
        ${amount === null ? empty : sql`or r.amount::numeric = ${amount}::numeric`}
        or r.transaction_row_id in (
          select t.id from payment_service_transaction t where t.deleted_at is null and (${isMeant})))`
    )
  }
  return join(conditions, " and ")
}
