import { type ListedRecord, ourReference, rowFinder } from "../../settlement/compare-record"
import { MOST_COUNTED } from "./list-query"
import { isOfMerchant } from "./rules-in-sql"
import { jsonb, type RunSql, sql } from "./sql"
import type { TransactionRow } from "./tables"
import { isMeant, type TransactionSearch } from "./transaction-list"

/** Finds our rows of the service's records. */
export class RecordRows {
  constructor(private readonly run: RunSql) {}

  /** A function that finds the row of each of a merchant's records, see `rowFinder`. */
  async finderFor(
    merchantId: string,
    records: Pick<ListedRecord, "recordId" | "payload">[]
  ): Promise<(record: (typeof records)[number]) => TransactionRow | null> {
    const keys = records.map(({ recordId }) => recordId.toLowerCase())
    const references = records.flatMap((record) => ourReference(record) ?? [])
    const rows = await this.run<TransactionRow[]>(
      sql`select * from payment_service_transaction t
       where (transaction_key = any(${textsIn(keys)}) or id = any(${textsIn(references)}))
         and ${isOfMerchant(merchantId)} and deleted_at is null`
    )
    return rowFinder(rows)
  }

  /** The rows that a search text means, the newest of very many; its amount is the record's. */
  async meantBy(search: TransactionSearch): Promise<Set<string>> {
    const rows = await this.run<{ id: string }[]>(
      sql`select id from payment_service_transaction t
       where ${isMeant({ ...search, amount: null })} and deleted_at is null
       order by opened_at desc limit ${MOST_COUNTED}`
    )
    return new Set(rows.map(({ id }) => id))
  }
}

// Postgres does not look into a list from a select of its own: to estimate each of its texts takes longer than the search.
const textsIn = (list: string[]) => sql`array(select jsonb_array_elements_text(${jsonb(list)}))`
