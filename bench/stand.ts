import { execFile } from "node:child_process"
import { randomBytes, randomUUID } from "node:crypto"
import { chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import path from "node:path"
import { promisify } from "node:util"

import { Client } from "@medusajs/framework/pg"
import axios, { type AxiosInstance } from "axios"

import { startMedusa, whenHealthy } from "../demo/medusa-command"
import { medusaPreferences } from "../demo/medusa-preferences"
import type { Progress } from "../demo/progress"
import type { RunningParts } from "../demo/running-parts"
import type { SeededShop } from "../demo/seed"
import { freePort } from "../tests/free-port.cjs"
import { Shopper } from "../tests/integration/shopper"
import { startPostgres, temporaryFolder } from "../tests/postgres"
import { memoryOf } from "./machine"
import { SimulatorProcess } from "./simulator-process"
import { COUNTING, StatementCount } from "./statements"

const projectRoot = path.dirname(__dirname)
const storeFolder = path.join(__dirname, "store")

/** A database of its own, a copy of the seeded shop, with a connection to look into it. */
export interface Database {
  url: string
  client: Client
  /** Of all that are sent to it, by `client` too. */
  statements: StatementCount
}

/** `medusa start`, up and healthy. */
export interface RunningStore {
  url: string
  pid: number | undefined
  /** From the start of the process until it answered that it is healthy. */
  startMs: number
  /** Memory that the system holds for the process, right after it was healthy, in MB. */
  memoryMb: number
  stop: () => Promise<void>
}

/**
 * The common ground of all figures: the built plugin, a Postgres that writes to disk as in production, the
 * simulator, and a shop. Nothing of it is a mock, and all of it is gone afterwards.
 */
export class Stand {
  private databases = 0
  /** To a database that no store uses. */
  private elsewhere: Client | undefined

  private constructor(
    readonly simulator: SimulatorProcess,
    readonly shop: SeededShop,
    readonly callbackToken: string,
    private readonly postgresUrl: (database?: string) => string,
    private readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly parts: RunningParts
  ) {}

  static async prepare(parts: RunningParts, progress: Progress): Promise<Stand> {
    const folder = await mkdtemp(path.join(await temporaryFolder(), "bench-"))
    parts.add("the folder", () => rm(folder, { recursive: true, force: true }))
    // Enterable for the user that Postgres runs as.
    await chmod(folder, 0o755)
    const token = () => randomBytes(24).toString("base64url")
    const account = { merchantId: randomUUID(), secret: token() }
    const callbackToken = token()
    const environment: NodeJS.ProcessEnv = {
      ...inherited(),
      NODE_ENV: "production",
      MEDUSA_DISABLE_TELEMETRY: "true",
      XDG_CONFIG_HOME: await medusaPreferences(folder),
      JWT_SECRET: token(),
      COOKIE_SECRET: token(),
      PAYMENT_SERVICE_MERCHANT_ID: account.merchantId,
      PAYMENT_SERVICE_SECRET: account.secret,
      PAYMENT_SERVICE_CALLBACK_TOKEN: callbackToken,
      // Commands that call nobody start with any address of this machine.
      PAYMENT_SERVICE_URL: "http://localhost:1",
      MEDUSA_BACKEND_URL: "http://localhost:1",
    }
    const command = async (title: string, args: string[], where = storeFolder) => {
      await progress.during(title, () =>
        runMedusa(args, { folder: where, env: environment, logFolder: folder }, parts)
      )
    }

    await command("Building the plugin", ["plugin:build"], projectRoot)
    // As it is published.
    await promisify(execFile)(process.execPath, [path.join(projectRoot, "release/trim-build.mjs")])
    const simulator = await SimulatorProcess.start(account)
    parts.add("the simulator", () => simulator.stop())
    environment.PAYMENT_SERVICE_URL = simulator.url

    const postgres = await progress.during("Starting Postgres", async () => {
      const started = await startPostgres({
        folder: path.join(folder, "postgres"),
        password: token(),
        settings: COUNTING,
      })
      parts.add("Postgres", () => started.stop())
      return started
    })
    environment.DATABASE_URL = postgres.url("shop")
    await query(postgres.url(), "create extension pg_stat_statements")
    await query(postgres.url(), "create database shop")
    await command("Migrating the database", ["db:migrate", "--execute-safe-links"])
    const shopFile = path.join(folder, "shop.json")
    environment.DEMO_ADMIN_EMAIL = "admin@bench.test"
    environment.DEMO_ADMIN_PASSWORD = token()
    await command("Filling the shop", ["exec", "../../demo/seed.ts", shopFile])
    const shop = JSON.parse(await readFile(shopFile, "utf8")) as SeededShop
    // Hundreds of orders are placed, and none must fail for what is in stock.
    await query(
      postgres.url("shop"),
      `update inventory_level set stocked_quantity = 1000000,
       raw_stocked_quantity = jsonb_set(raw_stocked_quantity, '{value}', '"1000000"')`
    )
    // Core's own provider, beside ours: what it takes is a yardstick.
    await query(
      postgres.url("shop"),
      `insert into region_payment_provider (id, region_id, payment_provider_id)
       select 'regpp_bench_' || id, id, 'pp_system_default' from region`
    )
    return new Stand(simulator, shop, callbackToken, postgres.url, folder, environment, parts)
  }

  /** A copy of the seeded shop: no figure finds what another one has left behind. */
  async database(): Promise<Database> {
    const name = `shop_${++this.databases}`
    await query(this.postgresUrl(), `create database ${name} template shop`)
    const client = await this.connection(name)
    this.elsewhere ??= await this.connection()
    const statements = await StatementCount.of(name, this.elsewhere)
    return { url: this.postgresUrl(name), client, statements }
  }

  private async connection(database?: string): Promise<Client> {
    const client = await connected(this.postgresUrl(database))
    // Postgres ends connections when it is stopped before us, on Ctrl-C.
    client.on("error", () => undefined)
    this.parts.add("a connection", () => client.end())
    return client
  }

  /** Starts the store on a free port and waits until it is healthy. */
  async startStore(
    database: Database,
    { withoutPlugin = false, serviceUrl }: { withoutPlugin?: boolean; serviceUrl?: string } = {}
  ): Promise<RunningStore> {
    const port = await freePort()
    const url = `http://localhost:${port}`
    const began = performance.now()
    const store = startMedusa(["start", "--port", String(port)], {
      env: {
        ...this.environment,
        DATABASE_URL: database.url,
        MEDUSA_BACKEND_URL: url,
        ...(withoutPlugin ? { BENCH_WITHOUT_PLUGIN: "true" } : {}),
        // Another service than the simulator.
        ...(serviceUrl ? { PAYMENT_SERVICE_URL: serviceUrl } : {}),
      },
      folder: storeFolder,
      logFile: path.join(this.folder, "store.log"),
      verbose: false,
    })
    const stop = this.parts.add("the store", () => store.stop())
    const failed = store.ended.then(() => {
      throw new Error(`${store.lastWords()}\n\nThe store does not start.`)
    })
    // It ends at some time, and then nobody waits for this any more.
    failed.catch(() => undefined)
    // Short pauses, because what is waited for is measured.
    await Promise.race([whenHealthy(`${url}/health`, 20), failed])
    const startMs = performance.now() - began
    return { url, pid: store.pid, startMs, memoryMb: memoryOf(store.pid), stop }
  }

  /** Shoppers as the tests have them. */
  shopperAt(store: RunningStore): Shopper {
    const http = axios.create({
      baseURL: store.url,
      headers: { "x-publishable-api-key": this.shop.publishableKey },
      validateStatus: () => true,
    })
    return new Shopper({ shop: this.shop, http })
  }

  /** Requests of an admin who has logged in. */
  async adminRequests(store: Pick<RunningStore, "url">): Promise<AxiosInstance> {
    const { DEMO_ADMIN_EMAIL: email, DEMO_ADMIN_PASSWORD: password } = this.environment
    const http = axios.create({ baseURL: store.url })
    const { data } = await http.post<{ token: string }>("/auth/user/emailpass", { email, password })
    http.defaults.headers.common.authorization = `Bearer ${data.token}`
    return http
  }

  /** Returns how an admin of this store captures the payments of an order by hand. */
  async adminAt(store: RunningStore): Promise<(orderId: string) => Promise<void>> {
    const http = await this.adminRequests(store)
    return async (orderId) => {
      const found = await http.get<{
        order: { payment_collections: { payments: { id: string }[] }[] }
      }>(`/admin/orders/${orderId}?fields=payment_collections.payments.id`)
      for (const { payments } of found.data.order.payment_collections) {
        for (const { id } of payments) await http.post(`/admin/payments/${id}/capture`, {})
      }
    }
  }

  /** Runs a script of `bench/inside` in a booted app of its own and hands back what it has measured. */
  async inside<Result>(script: string, database: Database, input: object): Promise<Result> {
    const resultFile = path.join(this.folder, `${script}.json`)
    const { url, account } = this.simulator
    const args = JSON.stringify({
      ...input,
      shop: this.shop,
      simulator: { url, account },
      resultFile,
    })
    await runMedusa(
      ["exec", `../inside/${script}.ts`, args],
      {
        folder: storeFolder,
        env: { ...this.environment, DATABASE_URL: database.url },
        logFolder: this.folder,
      },
      this.parts
    )
    return JSON.parse(await readFile(resultFile, "utf8")) as Result
  }
}

async function runMedusa(
  args: string[],
  { folder, env, logFolder }: { folder: string; env: NodeJS.ProcessEnv; logFolder: string },
  parts: RunningParts
): Promise<void> {
  await mkdir(logFolder, { recursive: true })
  const command = startMedusa(args, {
    env,
    folder,
    logFile: path.join(logFolder, "commands.log"),
    verbose: false,
  })
  const done = parts.add(`medusa ${args[0] ?? ""}`, () => command.stop())
  if ((await command.ended) !== 0) {
    throw new Error(`${command.lastWords()}\n\nmedusa ${args.slice(0, 2).join(" ")} failed.`)
  }
  await done()
}

/** Our own environment without what would configure Medusa or the plugin behind our back. */
function inherited(): NodeJS.ProcessEnv {
  const foreign =
    /^(PAYMENT_|STOREFRONT_|MEDUSA_|DATABASE_|REDIS_|DB_|DEMO_|BENCH_|PORT$|LOG_|NODE_)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

async function query(url: string, statement: string): Promise<void> {
  const client = await connected(url)
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
