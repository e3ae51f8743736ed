import type { Client } from "@medusajs/framework/pg"

/** The statements that a store has sent to its database. */
export interface SentStatements {
  /** With those that begin and end transactions. */
  all: number
  /** Statements that inserted, updated or deleted something. */
  writes: number
}

/** Of the statements of one database; for the settings of the server that holds it. */
export const COUNTING = { shared_preload_libraries: "pg_stat_statements" }

/**
 * Statements as Postgres itself counts them, whatever library they come through. Looked at from another
 * database, so that looking is not counted.
 */
export class StatementCount {
  private constructor(
    private readonly elsewhere: Client,
    private readonly databaseId: string
  ) {}

  /** @param elsewhere connected to another database of the same server, which has the extension */
  static async of(database: string, elsewhere: Client): Promise<StatementCount> {
    const { rows } = await elsewhere.query<{ oid: string }>(
      "select oid::text from pg_database where datname = $1",
      [database]
    )
    const [found] = rows
    if (!found) throw new Error(`There is no database ${database}.`)
    return new StatementCount(elsewhere, found.oid)
  }

  async forget(): Promise<void> {
    await this.elsewhere.query("select pg_stat_statements_reset(0, $1, 0)", [this.databaseId])
  }

  /** Since they were last forgotten. */
  async read(): Promise<SentStatements> {
    const { rows } = await this.elsewhere.query<{ all: string; writes: string }>(
      `select coalesce(sum(calls), 0) as all, coalesce(sum(calls) filter (
         where query ~* '\\m(insert into|update|delete from|merge into)\\M' and wal_bytes > 0
       ), 0) as writes
       from pg_stat_statements where dbid = $1`,
      [this.databaseId]
    )
    return { all: Number(rows[0]?.all), writes: Number(rows[0]?.writes) }
  }

  /** How long the statements that begin so have taken in Postgres, on average, since they were last forgotten. */
  async meanMs(beginning: string): Promise<number> {
    const { rows } = await this.elsewhere.query<{ mean: number | null }>(
      `select sum(total_exec_time) / sum(calls) as mean
       from pg_stat_statements where dbid = $1 and starts_with(query, $2)`,
      [this.databaseId, beginning]
    )
    return rows[0]?.mean ?? NaN
  }
}
