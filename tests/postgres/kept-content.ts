import { Client } from "@medusajs/framework/pg"

import { databaseUrl } from "../instances/database"

/** The connections of this process to the databases whose content it keeps: a kept one has planned what it does again and again. */
const connections = new Map<string, Client>()
const MOST_TRIES = 10

/** Keeps what the tables of a database contain now, in a schema beside them. */
export async function keepContent(database: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl(database) })
  await client.connect()
  connections.set(database, client)
  await client.query(`
    create schema kept;
    do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('create unlogged table kept.%1$I as table public.%1$I', name);
      end loop;
    end $$`)
  const { rows } = await client.query<{ statement: string }>(`
    select format('delete from public.%1$I; insert into public.%1$I (%2$s) select %2$s from kept.%1$I;',
      relname, string_agg(quote_ident(attname), ',')) as statement
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname
    union all
    select format('perform setval(%L, %s, %L);', quote_ident(sequencename),
      coalesce(last_value, start_value), last_value is not null)
    from pg_sequences where schemaname = 'public'`)
  await client.query(`
    create function kept.put_back() returns void language plpgsql
      set session_replication_role = replica
      as $$ begin ${rows.map(({ statement }) => statement).join("\n")} end $$`)
}

/**
 * Puts that back, whatever was written since, and ends what is still being written. The store keeps its database, which would take
 * longer to be made anew, and its connections.
 */
export async function putContentBack(database: string): Promise<void> {
  const client = connections.get(database)
  if (!client) throw new Error(`The content of ${database} was never kept.`)
  for (let tries = 1; ; tries++) {
    try {
      return void (await client.query(
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null;
         select kept.put_back()`
      ))
    } catch (error) {
      // A store's jobs write at any time, and in another order.
      if (tries === MOST_TRIES) throw error
    }
  }
}

export async function forgetContent(): Promise<void> {
  for (const client of connections.values()) await client.end()
  connections.clear()
}
