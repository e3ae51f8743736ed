import { raw, type RunSql, sql } from "./sql"
import type { TransactionRow } from "./tables"

/** Our row of one of the service's records, as far as an export shows or compares it. */
export type RecordRow = Pick<TransactionRow, (typeof COLUMNS)[number]>

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

/** Which rows are looked for; none of the texts has a comma, and an empty one finds nothing. */
interface Sought {
  merchantId: string
  /** Ids at the service, in lower case. */
  keys: string[]
  /** References of ours. */
  references: string[]
}

/**
 * Finds our rows of many of the service's records at once. One statement has three values, however many it looks for. The
 * lists are made in selects of their own: otherwise Postgres estimates each of their texts, which takes longer than to look
 * for them.
 */
export class RecordRows {
  constructor(private readonly run: RunSql) {}

  async find({ merchantId, keys, references }: Sought): Promise<RecordRow[]> {
    return await this.run(
      sql`select ${raw(COLUMNS.join(", "))} from payment_service_transaction
       where (transaction_key = any((select string_to_array(${listed(keys)}, ','))::text[])
           or id = any((select string_to_array(${listed(references)}, ','))::text[]))
         and lower(merchant_id) = ${merchantId.toLowerCase()} and deleted_at is null`
    )
  }
}

const listed = (texts: string[]) => texts.filter((text) => text !== "").join(",")
