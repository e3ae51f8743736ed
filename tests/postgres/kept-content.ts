import { Client } from "@medusajs/framework/pg"

import { databaseUrl } from "../instances/database"

/** What puts back the content of a database of this process, by the database's name. */
const statements = new Map<string, string>()
const MOST_TRIES = 10

/** Keeps what the tables of a database contain now, beside them. */
export async function keepContent(database: string): Promise<void> {
  await connected(database, async (client) => {
    await client.query(`
      drop schema if exists kept cascade;
      create schema kept;
      do $$ declare name text; begin
        for name in select tablename from pg_tables where schemaname = 'public' loop
          execute format('create unlogged table kept.%1$I as table public.%1$I', name);
        end loop;
      end $$`)
    const { rows } = await client.query<{ statement: string }>(`
      select format('delete from public.%1$I; insert into public.%1$I (%2$s) select %2$s from kept.%1$I',
        relname, string_agg(quote_ident(attname), ',')) as statement
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind = 'r'
        and attnum > 0 and not attisdropped and attgenerated = ''
      group by relname
      union all
      select format('select setval(%L, %s, %L)', quote_ident(sequencename),
        coalesce(last_value, start_value), last_value is not null)
      from pg_sequences where schemaname = 'public'`)
    statements.set(database, rows.map(({ statement }) => statement).join(";\n"))
  })
}

/**
 * Puts that back, whatever was written since, and ends what is still being written. A database that is made anew instead costs a third
 * of all tests' time: Postgres copies some thousand files for it, and the store loses its connections and what they know.
 */
export async function putContentBack(database: string): Promise<void> {
  await connected(database, async (client) => {
    for (let tries = 1; ; tries++) {
      await client.query(
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`
      )
      try {
        // One query of many statements is one transaction.
        return void (await client.query(
          `set local session_replication_role = replica;\n${statements.get(database) ?? ""}`
        ))
      } catch (error) {
        // A store's jobs write at any time, in another order.
        if (tries === MOST_TRIES) throw error
      }
    }
  })
}

async function connected(database: string, work: (client: Client) => Promise<void>) {
  const client = new Client({ connectionString: databaseUrl(database) })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
