import type { RowId } from "../../settlement/ids"
import { isOfMerchant } from "./rules-in-sql"
import { join, raw, type RunSql, sql } from "./sql"
import type { TransactionRow } from "./tables"
import { searchConditions, type TransactionSearch } from "./transaction-list"

/** The columns of our row that an export of the service's records shows or compares. */
export type RecordRow = Pick<TransactionRow, (typeof COLUMNS)[number]> & {
  /** Whether a search text means this row; null without a search. */
  is_searched: boolean | null
}

const COLUMNS = [
  "id",
  "account",
  "base_url",
  "merchant_id",
  "transaction_id",
  "transaction_key",
  "state",
  "exception",
  "exception_reasons",
  "status",
  "amount",
  "currency",
  "read_amount",
  "read_currency",
  "opened_at",
  "paid_at",
  "settled_at",
  "handled_at",
  "session_id",
  "cart_id",
  "order_id",
  "customer_id",
] as const satisfies (keyof TransactionRow)[]

/** The rows to find. No text may contain a comma; an empty text finds nothing. */
interface Sought {
  merchantId: string
  /** Ids at the service, in lower case. */
  keys: string[]
  /** Our references. */
  references: string[]
  /** Tells which of the rows the text means; its amount is the record's. */
  search?: TransactionSearch
}

/**
 * Finds our rows of many of the service's records at once. One statement has three values, however many rows it looks for. Each
 * list is split in a select of its own: otherwise Postgres estimates each text in it, which takes longer than the search.
 */
export class RecordRows {
  constructor(private readonly run: RunSql) {}

  async find({ merchantId, keys, references, search }: Sought): Promise<RecordRow[]> {
    const isSearched = search
      ? join(searchConditions({ ...search, amount: null }), " or ")
      : sql`null::boolean`
    return await this.run(
      sql`select ${raw(COLUMNS.join(", "))}, (${isSearched}) as is_searched from payment_service_transaction t
       where (transaction_key = any((select string_to_array(${listed(keys)}, ','))::text[])
           or id = any((select string_to_array(${listed(references)}, ','))::text[]))
         and ${isOfMerchant(merchantId)} and deleted_at is null`
    )
  }

  /** The rows that a search text means; its amount is the record's. */
  async meantBy(search: TransactionSearch): Promise<Set<RowId>> {
    const conditions = searchConditions({ ...search, amount: null })
    const rows = await this.run<{ id: RowId }[]>(
      sql`select id from payment_service_transaction t
       where (${join(conditions, " or ")}) and deleted_at is null`
    )
    return new Set(rows.map(({ id }) => id))
  }
}

const listed = (texts: string[]) => texts.filter((text) => text !== "").join(",")
