import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"

import { startPostgres, type RunningPostgres } from "./index"
import { migrate } from "./migrate"
import { prepareShop } from "./prepared-shop"

declare global {
  var runningPostgres: RunningPostgres | undefined
}

/** One Postgres for the whole run; each test file makes databases of its own in it. */
export default async function setup(): Promise<void> {
  if (globalThis.runningPostgres) return
  const postgres = await startPostgres()
  globalThis.runningPostgres = postgres
  // For what the test files of one run make only once.
  process.env.TEST_RUN_FOLDER = mkdtempSync(path.join(tmpdir(), "test-run-"))
  // Must be the word: with an address Medusa's test utilities switch ssl on and hang.
  process.env.DB_HOST = postgres.host
  process.env.DB_PORT = String(postgres.port)
  process.env.DB_USERNAME = postgres.user
  process.env.DB_PASSWORD = postgres.password
  process.env.MEDUSA_DISABLE_TELEMETRY = "true"
  // Every database begins as a copy of this one, so no test file has to make all tables and a shop again.
  // With the tables of every module that one of the files may use.
  await migrate(postgres.url("template1"), { LOCKING: "postgres", MEDUSA_FF_RBAC: "true" })
  process.env.PREPARED_SHOP = JSON.stringify(await prepareShop(postgres.url, "template1"))
}
