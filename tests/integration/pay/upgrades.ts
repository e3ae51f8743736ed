import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import path from "node:path"

import type { Migration } from "@medusajs/framework/mikro-orm/migrations"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import { databaseUrl } from "../../instances/database"
import { migrate } from "../../postgres/migrate"
import { ordersAndMoney } from "../orders-and-money"
import { withoutWatcher } from "../passes"
import { payoutsWith, signedIn } from "../payouts/payouts-of"
import { payToOrder } from "../shopper"
import { type TestStore, withOptions } from "../store"

/**
 * The migrations of 0.1.0, each with the digest of its statements: stores have run them, and run neither a changed nor a renamed
 * one again, so from that release on a change of the tables is a further migration. Until then, who squashes them says here what
 * they are.
 */
const RELEASED = {
  Migration20261125110000: "22dc1f96f49e2e6ae7825bfabb64e2c9aa30f055c0530483f97805cd478f29fa",
  Migration20261125110100: "ed9b61650078b5bbe735f38dbd30dd5d164468265f67cb6009628e64b20a109b",
}

const FOLDER = path.resolve(__dirname, "../../../src/modules/payment-service/migrations")
const MIGRATIONS = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => path.basename(file, ".ts"))
  .sort()

type Row = Record<string, unknown>

async function statementsOf(migration: string): Promise<string[]> {
  const module = (await import(path.join(FOLDER, migration))) as Record<string, new () => Migration>
  const made = new module[migration]!()
  await made.up()
  return made.getQueries().map(String)
}

export function upgrades(store: TestStore): void {
  withOptions(store, () => ({ ...payoutsWith(), signingSecret: store.simulator.signingSecret }))
  const { admin, shopper, refundDue, done, refundsOf } = ordersAndMoney(store)

  const sql = async (statement: string, values: unknown[] = []) => {
    const knex = store.container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
    return (await knex.raw<{ rows: Row[] }>(statement, values as never)).rows
  }
  const tables = async () => {
    const named = "schemaname = 'public' and tablename like 'payment_service_%'"
    const found = await sql(`select tablename as name from pg_tables where ${named}`)
    return found.map(({ name }) => String(name))
  }

  /** Leaves the plugin's tables as a store with 0.1.0 has them, and in them what is in them now. */
  const goBack = async () => {
    const held = new Map<string, Row[]>()
    for (const table of await tables()) {
      held.set(table, await sql(`select to_json(t) as row from ${table} t`))
    }
    for (const table of held.keys()) await sql(`drop table ${table}`)
    await sql("delete from mikro_orm_migrations where name = any(?)", [MIGRATIONS])
    for (const migration of Object.keys(RELEASED)) {
      for (const statement of await statementsOf(migration)) await sql(statement)
      await sql("insert into mikro_orm_migrations (name) values (?)", [migration])
    }
    // Values for which 0.1.0 had no table or column are left out.
    for (const table of await tables()) {
      const rows = JSON.stringify(held.get(table)?.map(({ row }) => row) ?? [])
      await sql(`alter table ${table} disable trigger user`)
      await sql(
        `insert into ${table} select * from json_populate_recordset(null::${table}, ?::json)`,
        [rows]
      )
      await sql(`alter table ${table} enable trigger user`)
    }
  }

  it("begins with the migrations that were released, as they were (promise 29)", async () => {
    const first = MIGRATIONS.slice(0, Object.keys(RELEASED).length)
    const digests = first.map(async (migration) => {
      const statements = (await statementsOf(migration)).join("\n")
      return [migration, createHash("sha256").update(statements).digest("hex")]
    })
    expect(Object.fromEntries(await Promise.all(digests))).toEqual(RELEASED)
  })

  it("keeps what a store with 0.1.0 has written, and goes on with it (promise 29)", async () => {
    const { paid, due } = await refundDue(300)
    const open = await shopper.checkout("crypto")
    const settings = { account: "", version: 0, options: { description: "Tea of {store}" } }
    expect((await admin.post("/admin/payment-service/settings", settings)).status).toBe(200)
    const anna = await signedIn(store, "Anna")
    const { data: drafted } = await anna.post("payouts", { amount: 1_500, note: "For the tea" })

    await withoutWatcher(store, async () => {
      const pages = [
        ...["transactions", "problems", "payouts", "settings", "callback-tokens"],
        ...[open, paid].map(({ data }) => `transactions/${data.transaction_id}`),
        ...[`problems/${due.id}`, `payouts/${drafted.payout.id}`, "exports/transactions.csv"],
      ]
      const seen = async () => {
        const answers = await Promise.all(pages.map((page) => anna.get(page)))
        return answers.map(({ status, data }) => ({ status, data: data as unknown }))
      }
      const before = await seen()
      expect(before.map(({ status }) => status)).toEqual(pages.map(() => 200))
      await goBack()
      const [database] = await sql("select current_database() as name")
      await migrate(databaseUrl(String(database?.name)))
      await store.restartModule({})
      expect(await seen()).toEqual(before)
    })

    await done(due, "refunded-outside", { note: "By bank" })
    expect(await refundsOf(paid)).toEqual([300])
    await payToOrder(store, open)
  })
}
