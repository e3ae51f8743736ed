import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import path from "node:path"

import { Client } from "@medusajs/framework/pg"

import type { SeededShop } from "../../demo/seed"

const ROOT = path.resolve(__dirname, "../..")
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
  await migrate(databaseUrl(PREPARED))
  const shop = await seed(databaseUrl(PREPARED))
  await client.query(
    `comment on database "${PREPARED}" is ${client.escapeLiteral(JSON.stringify(shop))}`
  )
  return shop
}

/** With every module that one of the files may use; search indexes are of no use here. */
async function migrate(url: string): Promise<void> {
  const said: string[] = []
  const program = path.join(ROOT, "node_modules", "@medusajs", "cli", "cli.js")
  const steps = ["--execute-safe-links", "--skip-scripts", "--skip-search"]
  const command = spawn(process.execPath, [program, "db:migrate", ...steps], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: url, REDIS_URL: "", LOCKING: "postgres" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  for (const output of [command.stdout, command.stderr]) {
    output.setEncoding("utf8").on("data", (text: string) => said.push(text))
  }
  const code = await new Promise((resolve) => command.once("close", resolve))
  if (code !== 0) throw new Error(`The database could not be migrated:\n${said.join("")}`)
}
