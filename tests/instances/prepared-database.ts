import { randomBytes } from "node:crypto"

import { Client } from "@medusajs/framework/pg"

import type { SeededShop } from "../../demo/seed"
import { migrate } from "../postgres/migrate"

const PREPARED = "instances-prepared"
/** Any number: whoever prepares the database holds it, so that files that run at once prepare one. */
const LOCK = 20_260_101

/** Connection string of a database of the tests' Postgres. */
export function databaseUrl(name = "postgres"): string {
  const { DB_HOST, DB_PORT, DB_USERNAME, DB_PASSWORD } = process.env
  return `postgres://${DB_USERNAME ?? ""}:${DB_PASSWORD ?? ""}@${DB_HOST ?? ""}:${DB_PORT ?? ""}/${name}`
}

/**
 * A migrated database with a shop in it, for one test file. Migrating takes ten seconds, so it is done
 * once for all files, and each gets a copy.
 *
 * @param seed fills the shop of the database at this address
 */
export async function preparedDatabase(
  seed: (url: string) => Promise<SeededShop>
): Promise<{ name: string; url: string; shop: SeededShop }> {
  const name = `instances-${randomBytes(6).toString("hex")}`
  const client = new Client({ connectionString: databaseUrl() })
  await client.connect()
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK])
    const shop = (await findPrepared(client)) ?? (await prepare(client, seed))
    await client.query(`create database "${name}" template "${PREPARED}"`)
    return { name, url: databaseUrl(name), shop }
  } finally {
    await client.end()
  }
}

export async function dropDatabase(name: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl() })
  await client.connect()
  await client.query(`drop database if exists "${name}" with (force)`)
  await client.end()
}

/** What the shop is called is kept where everybody finds it: in the comment on the database. */
async function findPrepared(client: Client): Promise<SeededShop | null> {
  const { rows } = await client.query<{ shop: string | null }>(
    "select shobj_description(oid, 'pg_database') as shop from pg_database where datname = $1",
    [PREPARED]
  )
  return rows[0]?.shop ? (JSON.parse(rows[0].shop) as SeededShop) : null
}

async function prepare(
  client: Client,
  seed: (url: string) => Promise<SeededShop>
): Promise<SeededShop> {
  await client.query(`drop database if exists "${PREPARED}" with (force)`)
  await client.query(`create database "${PREPARED}"`)
  // With every module that one of the files may use.
  await migrate(databaseUrl(PREPARED), { LOCKING: "postgres" })
  const shop = await seed(databaseUrl(PREPARED))
  await client.query(
    `comment on database "${PREPARED}" is ${client.escapeLiteral(JSON.stringify(shop))}`
  )
  return shop
}
