import { Agent } from "node:http"

import { Pool } from "@medusajs/framework/pg"
import type { MedusaContainer } from "@medusajs/framework/types"
import axios, { type AxiosInstance } from "axios"

import type { SeededShop } from "../../demo/seed"
import type { TransactionRow } from "../../src/modules/payment-service"
import { type Simulator, startSimulator } from "../../simulator"
import { freePort } from "../free-port.cjs"
import { eventually } from "../integration/eventually"
import { type Cart, expectPaidOrder, Shopper } from "../integration/shopper"
import { preparedShop } from "../postgres/prepared-shop"
import { describeWithRedis, startRedis } from "../redis"
import { createDatabase, databaseUrl, dropDatabase } from "./database"
import { CALLBACK_TOKEN, storeEnvironment } from "./store-environment"
import { StoreInstance } from "./store-instance"

/** The environment variables in which instances differ. */
type InstanceEnvironment = Record<string, string>

/** A store that runs as several processes on one database, with a simulator behind HTTP. */
export interface Stores {
  readonly simulator: Simulator
  readonly database: Pool
  readonly shop: SeededShop
  /** Starts an instance, unless it runs; one that is gone starts again where it was. */
  start(name: string, environment?: InstanceEnvironment): Promise<StoreInstance>
  /** A shopper whose requests go to this instance. */
  shopperAt(instance: StoreInstance): Shopper
  /** The API of an instance as a storefront calls it; answers of any status are returned. */
  http(instance: StoreInstance): AxiosInstance
  /** Where an instance takes callbacks. */
  callbackUrl(instance: StoreInstance): string
}

/**
 * Tests with store processes of their own. What the processes said is shown when a test fails; they end
 * with the file, or with whoever runs it.
 */
export function describeStores(
  name: string,
  {
    needsRedis = false,
    environment = {},
  }: { needsRedis?: boolean; environment?: InstanceEnvironment },
  tests: (stores: Stores, test: (what: string, run: () => Promise<void>) => void) => void
): void {
  const describeThem = needsRedis ? describeWithRedis : describe
  describeThem(name, () => {
    const instances = new Map<string, { instance: StoreInstance; port: number }>()
    const atTheEnd: (() => Promise<void>)[] = []
    let held: Pick<Stores, "simulator" | "database" | "shop"> & { readyCarts: Cart[] }
    let shared: NodeJS.ProcessEnv

    const start = async (called: string, own: InstanceEnvironment = {}) => {
      const before = instances.get(called)
      if (before?.instance.isRunning) {
        await before.instance.ready()
        return before.instance
      }
      const port = before?.port ?? (await freePort())
      const instance = new StoreInstance(called, port, { ...shared, ...own })
      instances.set(called, { instance, port })
      await instance.ready()
      return instance
    }
    const stores: Stores = {
      get simulator() {
        return held.simulator
      },
      get database() {
        return held.database
      },
      get shop() {
        return held.shop
      },
      start,
      http: (instance) =>
        axios.create({
          // A connection that is kept may end just when it is used again.
          httpAgent: new Agent({ keepAlive: false }),
          baseURL: instance.url,
          headers: { "x-publishable-api-key": held.shop.publishableKey },
          validateStatus: () => true,
          maxRedirects: 0,
        }),
      shopperAt: (instance) => new Shopper({ ...held, http: stores.http(instance) }),
      callbackUrl: (instance) => `${instance.url}/hooks/payment-service/${CALLBACK_TOKEN}`,
    }

    beforeAll(async () => {
      const simulator = await startSimulator()
      atTheEnd.push(() => simulator.close())
      shared = { ...storeEnvironment(simulator), ...environment }
      const { shop, carts: readyCarts } = preparedShop()
      const name = await createDatabase()
      const url = databaseUrl(name)
      atTheEnd.push(() => dropDatabase(name))
      const database = new Pool({ connectionString: url, max: 4 })
      // The pool's end() does not wait for its connections: the drop of the database ends some of them.
      database.on("error", () => undefined)
      atTheEnd.push(() => database.end())
      shared = { ...shared, DATABASE_URL: url }
      if (needsRedis) {
        const redis = await startRedis()
        atTheEnd.push(redis.stop)
        shared = { ...shared, REDIS_URL: redis.url }
      }
      held = { simulator, shop, readyCarts, database }
    })
    afterAll(async () => {
      await Promise.all([...instances.values()].map(({ instance }) => instance.kill()))
      for (const end of atTheEnd.reverse()) await end()
    })

    tests(stores, (what, run) => {
      it(what, async () => {
        try {
          await run()
        } catch (error) {
          throw withLogs(
            error,
            [...instances.values()].map(({ instance }) => instance)
          )
        }
      })
    })
  })
}

function withLogs(error: unknown, instances: StoreInstance[]): unknown {
  if (error instanceof Error) {
    const said = instances.map(({ name, log }) => `--- ${name} said:\n${log.join("\n")}`)
    error.message = `${error.message}\n${said.join("\n")}`
    // Jest shows the stack, which begins with the old message.
    error.stack = `${error.message}\n${error.stack ?? ""}`
  }
  return error
}

/** A store in production says once at its start that its locks hold in one process only. */
export function warningsOfMemoryLocking({ log }: StoreInstance): string[] {
  return log.filter((line) => line.includes("locks carts in the memory of this process"))
}

/** Our row of a payment session, as an instance sees it. */
export async function rowOf(
  instance: StoreInstance,
  sessionId: string
): Promise<TransactionRow | null> {
  return await instance.ask("rowOfSession", sessionId)
}

/**
 * The end state of every paid purchase, whatever happened in between: one order, one capture, nothing
 * left to pay, and nothing of ours left to do.
 */
export async function expectSettled(
  instance: StoreInstance,
  { cartId, sessionId }: { cartId: string; sessionId: string }
): Promise<void> {
  const row = await eventually(`session ${sessionId} is settled`, async () => {
    const found = await rowOf(instance, sessionId)
    return found?.settled_at ? found : null
  })
  const graph = (query: unknown) => instance.ask("graph", query)
  const container = { resolve: () => ({ graph }) } as unknown as MedusaContainer
  const order = await expectPaidOrder({ container }, cartId)
  expect(row).toMatchObject({
    state: "paid",
    exception: null,
    order_id: order.id,
    apply_after: null,
  })
}

/**
 * Lets time pass for everything that is written down in the database: what was due later is due now, and
 * what a dead process held has run out.
 */
export async function letTimePass(database: Pool, ms: number): Promise<void> {
  const { rows } = await database.query<{ table: string; columns: string[] }>(
    `select table_name as table, array_agg(column_name::text) as columns
     from information_schema.columns
     where (table_name like 'payment\\_service\\_%' or table_name in ('locking', 'order'))
       and data_type = 'timestamp with time zone'
     group by table_name`
  )
  for (const { table, columns } of rows) {
    const earlier = columns.map((column) => `"${column}" = "${column}" - interval '${ms} ms'`)
    await database.query(`update "${table}" set ${earlier.join(", ")}`)
  }
  await database.query(
    `update payment_service_transaction set completion = jsonb_set(completion, '{beganAt}',
       to_jsonb(to_char((completion ->> 'beganAt')::timestamptz at time zone 'UTC' - interval '${ms} ms',
         'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
     where completion is not null`
  )
}
