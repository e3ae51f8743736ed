import type { RowId } from "../../settlement/ids"
import { isOfMerchant } from "./rules-in-sql"
import { jsonb, type RunSql, sql } from "./sql"
import type { TransactionRow } from "./tables"
import { rowsOfSearch, type TransactionSearch } from "./transaction-list"

/** Finds our rows of the service's records. */
export class RecordRows {
  constructor(private readonly run: RunSql) {}

  /** A merchant's rows with one of these ids at the service, in lower case, or with one of these references. */
  async find(
    merchantId: string,
    { keys, references }: { keys: string[]; references: string[] }
  ): Promise<TransactionRow[]> {
    return await this.run(
      sql`select * from payment_service_transaction t
       where (transaction_key = any(${textsIn(keys)}) or id = any(${textsIn(references)}))
         and ${isOfMerchant(merchantId)} and deleted_at is null`
    )
  }

  /** The rows that a search text means; its amount is the record's. Of very many rows, only the newest. */
  async meantBy(search: TransactionSearch): Promise<Set<RowId>> {
    const rows = await this.run<{ id: RowId }[]>(
      rowsOfSearch({ ...search, amount: null }, sql`deleted_at is null`)
    )
    return new Set(rows.map(({ id }) => id))
  }
}

// Postgres does not look into a list from a select of its own: to estimate each of its texts takes longer than the search.
const textsIn = (list: string[]) => sql`array(select jsonb_array_elements_text(${jsonb(list)}))`
