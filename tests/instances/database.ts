import { randomBytes } from "node:crypto"

import { Client } from "@medusajs/framework/pg"

/** Connection string of a database of the tests' Postgres. */
export function databaseUrl(name = "postgres"): string {
  const { DB_HOST, DB_PORT, DB_USERNAME, DB_PASSWORD } = process.env
  return `postgres://${DB_USERNAME ?? ""}:${DB_PASSWORD ?? ""}@${DB_HOST ?? ""}:${DB_PORT ?? ""}/${name}`
}

/** A copy of the prepared shop, for one test file. */
export async function createDatabase(): Promise<string> {
  const name = `instances-${randomBytes(6).toString("hex")}`
  await run(`create database "${name}"`)
  return name
}

export async function dropDatabase(name: string): Promise<void> {
  await run(`drop database if exists "${name}" with (force)`)
}

async function run(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl() })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
