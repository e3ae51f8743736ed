import { Client } from "@medusajs/framework/pg"
import type { Simulator } from "../../simulator"

/** The records of one purchase. */
export interface Happened {
  collectionId: string
  transactionId?: string
  cartId?: string
  orderId?: string | null
}

const OURS = `transaction_row_id in (select id from payment_service_transaction where payment_collection_id = $2)`
const OF_PAYMENT = `payment_id in (select id from payment where payment_collection_id = $2)`
const OF_PROBLEM = `idempotency_key in (select event.id from payment_service_event event
  join payment_service_problem problem on event.data::text like '%' || problem.id || '%' where problem.${OURS})`
const OF_PAYOUT = `payout_id in (select id from payment_service_payout where ${OURS})`

/** The rows of a purchase in each table whose times a person sees: of its collection ($2), cart ($3) and order ($4). */
const ROWS: Record<string, string> = {
  cart: `id = $3`,
  customer: `id in (select customer_id from cart where id = $3)`,
  payment_collection: `id = $2`,
  payment_session: `payment_collection_id = $2`,
  payment: `payment_collection_id = $2`,
  capture: OF_PAYMENT,
  refund: OF_PAYMENT,
  order: `id = $4`,
  order_transaction: `order_id = $4`,
  notification: OF_PROBLEM,
  payment_service_transaction: `payment_collection_id = $2`,
  payment_service_journal_entry: OURS,
  payment_service_ledger_entry: OURS,
  payment_service_problem: OURS,
  payment_service_payout_entry: OF_PAYOUT,
  payment_service_payout: OURS,
}

/** Moves what has happened into the past, in the store's database and in the simulator alike, so that both still agree. */
export class Past {
  private readonly columns = new Map<string, string[]>()

  private constructor(
    private readonly database: Client,
    private readonly simulator: Simulator
  ) {}

  static async open(databaseUrl: string, simulator: Simulator): Promise<Past> {
    const database = new Client({ connectionString: databaseUrl })
    await database.connect()
    const past = new Past(database, simulator)
    await past.findColumns()
    return past
  }

  close(): Promise<void> {
    return this.database.end()
  }

  /** Whether a payment was ever opened in this store. */
  async hasPayments(): Promise<boolean> {
    const { rows } = await this.database.query("select 1 from payment_service_transaction limit 1")
    return rows.length > 0
  }

  /** Makes all times of a purchase, also of what comes of it, earlier by some milliseconds. */
  async moveBack(
    { collectionId, transactionId, cartId = "", orderId = "" }: Happened,
    ms: number
  ): Promise<void> {
    await this.database.query("begin")
    for (const [table, where] of Object.entries(ROWS)) {
      const sets = (this.columns.get(table) ?? []).map(
        (column) => `"${column}" = "${column}" - $1 * interval '1 millisecond'`
      )
      if (table === "payment_service_payout") {
        // The day whose limit it uses up.
        sets.push(
          `limit_day = to_char((sent_at - $1 * interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD')`
        )
      }
      // Postgres takes no parameter that is not used.
      await this.database.query(
        `update "${table}" set ${sets.join(", ")}
         where ${where} and ($2 || $3 || $4) is not null`,
        [ms, collectionId, cartId, orderId ?? ""]
      )
    }
    await this.database.query("commit")
    if (!transactionId) return
    const { createdAt, expiresAt } = this.simulator.transaction(transactionId)
    this.simulator.edit(transactionId, { createdAt: createdAt - ms, expiresAt: expiresAt - ms })
  }

  private async findColumns(): Promise<void> {
    const { rows } = await this.database.query<{ table_name: string; column_name: string }>(
      `select table_name, column_name from information_schema.columns
       where table_schema = current_schema() and data_type like 'timestamp%' and table_name = any($1)`,
      [Object.keys(ROWS)]
    )
    for (const { table_name: table, column_name: column } of rows) {
      this.columns.set(table, [...(this.columns.get(table) ?? []), column])
    }
  }
}
