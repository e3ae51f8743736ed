import { Client } from "@medusajs/framework/pg"
import axios from "axios"

import type { SeededShop } from "../../demo/seed"
import { startSimulator } from "../../simulator"
import { freePort } from "../free-port.cjs"
import { storeEnvironment } from "../instances/store-environment"
import { StoreInstance } from "../instances/store-instance"
import { ADMIN, ADMIN_ID } from "../integration/admin"
import { type Cart, Shopper } from "../integration/shopper"

/** To make one takes core a second, and every test begins with some. */
const READY_CARTS = 8

/** The content of every database that a test begins with. */
interface PreparedShop {
  shop: SeededShop
  /** Ready to be paid, and all alike. */
  carts: Cart[]
}

/** Fills the migrated database at this address, and leaves nobody connected to it. */
export async function prepareShop(
  addressOf: (database: string) => string,
  database: string
): Promise<PreparedShop> {
  const simulator = await startSimulator()
  const store = new StoreInstance("preparing", await freePort(), {
    ...storeEnvironment(simulator),
    DATABASE_URL: addressOf(database),
    // Without jobs, which would leave their marks.
    MEDUSA_WORKER_MODE: "server",
  })
  try {
    await store.ready()
    const shop = await store.ask<SeededShop>("seed", ADMIN)
    const headers = { "x-publishable-api-key": shop.publishableKey }
    const http = axios.create({ baseURL: store.url, headers, validateStatus: () => true })
    const shopper = new Shopper({ shop, http })
    const carts: Cart[] = []
    while (carts.length < READY_CARTS) {
      const cart = await shopper.newCart()
      // As after a first look at the ways to pay.
      carts.push({ ...cart, payment_collection: { id: await shopper.collection(cart.id) } })
    }
    return { shop, carts }
  } finally {
    await store.kill()
    await simulator.close()
    // Each store has its own.
    await run(addressOf(database), "delete from payment_service_callback_token")
    // Options name the administrator by id, and payouts wait for a user to be a day old.
    await run(
      addressOf(database),
      `with named as (
         update "user" set id = $1, created_at = now() - interval '2 days' where email = $2)
       update auth_identity set app_metadata = jsonb_build_object('user_id', $1::text)`,
      [ADMIN_ID, ADMIN.email]
    )
    // Postgres cannot copy a database that somebody is connected to.
    await run(
      addressOf("postgres"),
      "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1",
      [database]
    )
  }
}

async function run(address: string, statement: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: address })
  await client.connect()
  try {
    await client.query(statement, values)
  } finally {
    await client.end()
  }
}

/** As `jest-setup.ts` has left it for this process. */
export function preparedShop(): PreparedShop {
  const { PREPARED_SHOP } = process.env
  if (!PREPARED_SHOP) throw new Error("There is no shop in the tests' databases.")
  return JSON.parse(PREPARED_SHOP) as PreparedShop
}
