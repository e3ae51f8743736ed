import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import path from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"

import { Client } from "@medusajs/framework/pg"
import axios from "axios"

import type { SeededShop } from "../../demo/seed"
import { freePort } from "../free-port.cjs"
import { eventually } from "../integration/eventually"
import { Shopper } from "../integration/shopper"
import { LONGEST_BUILD_MS, PATIENCE_MS } from "../patience"
import {
  addedTo,
  builtDashboard,
  deployedStore,
  installedSimulator,
  installedStore,
  medusaCli,
  medusaIn,
} from "./installed-store"
import { packedPackage, PLUGIN } from "./tarball"

/**
 * The package as a merchant meets it: packed, installed into a store that has nothing of this repository,
 * configured with the README's own lines, and paid in.
 */

const MERCHANT = "7b1f0a52-8f0d-4b5e-9c1c-2f6a3c1d9e10"
/** Commands that never call the service start with any address of this machine. */
const ANYWHERE = "http://localhost:1"
const ADMIN = { email: "admin@second.test", password: "a-password-of-the-second-store" }

let folder: string
let environment: NodeJS.ProcessEnv
const processes: ChildProcess[] = []

beforeAll(async () => {
  folder = await installedStore()
  const { DB_HOST, DB_PORT, DB_USERNAME, DB_PASSWORD, ...rest } = process.env
  const database = `second-${process.pid}`
  const server = `postgres://${DB_USERNAME}:${DB_PASSWORD}@${DB_HOST}:${DB_PORT}`
  environment = {
    ...rest,
    NODE_ENV: "development",
    NODE_OPTIONS: "",
    MEDUSA_DISABLE_TELEMETRY: "true",
    WITHOUT_DASHBOARD: "true",
    DATABASE_URL: `${server}/${database}`,
    PORT: String(await freePort()),
    DEMO_ADMIN_EMAIL: ADMIN.email,
    DEMO_ADMIN_PASSWORD: ADMIN.password,
    PAYMENT_SERVICE_MERCHANT_ID: MERCHANT,
    PAYMENT_SERVICE_SECRET: "the-secret-of-the-second-store",
  }
  environment.MEDUSA_BACKEND_URL = `http://localhost:${environment.PORT}`

  const postgres = new Client({ connectionString: `${server}/postgres` })
  await postgres.connect()
  await postgres.query(`create database "${database}" template template0`)
  await postgres.end()
  // Migrating needs none of the plugin's variables.
  await medusa(["db:migrate"], {
    PAYMENT_SERVICE_URL: undefined,
    PAYMENT_SERVICE_MERCHANT_ID: undefined,
    PAYMENT_SERVICE_SECRET: undefined,
    MEDUSA_BACKEND_URL: undefined,
  })
}, LONGEST_BUILD_MS)

afterAll(async () => {
  for (const child of processes) {
    if (child.exitCode === null) {
      child.kill("SIGTERM")
      await once(child, "exit")
    }
  }
})

it("adds at most 15 packages and 10 MB to what Medusa brings", () => {
  const { folders, bytes } = addedTo(folder)
  expect(folders).toContain(`node_modules/${PLUGIN}`)
  // A failure names the packages.
  expect(folders.slice(15)).toEqual([])
  expect(bytes / 1e6).toBeLessThanOrEqual(10)
})

it("is packed in at most 500 kB", async () => {
  expect(statSync(await packedPackage(PLUGIN)).size / 1000).toBeLessThanOrEqual(500)
})

it("opens what it names, and none of its other files", async () => {
  const inside = ".medusa/server/src/service/client.js"
  expect(existsSync(path.join(folder, "node_modules", PLUGIN, inside))).toBe(true)
  const named = [
    ...["", "/package.json", "/workflows", "/admin"],
    ...["modules", "providers", ".medusa/server/src/modules"].map(
      (part) => `/${part}/payment-service`
    ),
  ]
  expect(await resolvedIn(folder, [...named, `/${inside}`, "/service/client.js"])).toEqual([
    ...named.map(() => "found"),
    ...["ERR_PACKAGE_PATH_NOT_EXPORTED", "ERR_PACKAGE_PATH_NOT_EXPORTED"],
  ])
})

it(
  "is found in the vendor folder where Medusa's deployment installs the built store (README)",
  async () => {
    const deployed = await deployedStore({ ...environment, PAYMENT_SERVICE_URL: ANYWHERE })
    expect(existsSync(path.join(deployed, "medusa-config.js"))).toBe(true)
    expect(await resolvedIn(deployed, ["", "/providers/payment-service"])).toEqual([
      ...["found", "found"],
    ])
  },
  LONGEST_BUILD_MS
)

it("has the types of what a store's own code may import", async () => {
  writeFileSync(
    path.join(folder, "own-code.ts"),
    `import { settleTransactionWorkflow } from "${PLUGIN}/workflows"
     import paymentService from "${PLUGIN}/modules/payment-service"
     import provider from "${PLUGIN}/providers/payment-service"
     import type { PaymentServiceOptions } from "${PLUGIN}"
     export const options = { statuses: { paid: ["CONFIRMED"] } } satisfies PaymentServiceOptions
     // @ts-expect-error There is no such option.
     export const misspelt = { merchantID: "" } satisfies PaymentServiceOptions
     export const services: [unknown, unknown[]] = [paymentService.service, provider.services]
     export const settle = async (id: string) =>
       await settleTransactionWorkflow.run({ input: { transaction_row_id: id } })
     export const state: Awaited<ReturnType<typeof settle>>["result"]["state"] = "paid"
     // @ts-expect-error There is no such state.
     export const unknown: Awaited<ReturnType<typeof settle>>["result"]["state"] = "anything"`
  )
  const tsc = path.join(folder, "node_modules/typescript/bin/tsc")
  const failure = await promisify(execFile)(process.execPath, [
    ...[tsc, "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022"],
    ...["--module", "node16", "--types", "node", path.join(folder, "own-code.ts")],
  ]).then(
    () => "",
    (error: unknown) => (error as { stdout: string }).stdout
  )
  expect(failure).toBe("")
})

it("is installed from the README alone, lists both methods, and is paid in (promise 24)", async () => {
  const seeded = path.join(folder, "seeded.json")
  // Products and an admin are the shop's own business; payment comes from the README.
  await medusa(["exec", "./shop/seed.ts", seeded])
  const shop = JSON.parse(readFileSync(seeded, "utf8")) as SeededShop

  const simulator = await startSimulator()
  environment.PAYMENT_SERVICE_URL = simulator.url
  const backend = environment.MEDUSA_BACKEND_URL ?? ""
  const printed = await startStore(backend)

  const http = axios.create({
    baseURL: backend,
    headers: { "x-publishable-api-key": shop.publishableKey },
    validateStatus: () => true,
  })
  const providers = await http.get<{ payment_providers: { id: string }[] }>(
    `/store/payment-providers?region_id=${shop.regionId}`
  )
  const ids = providers.data.payment_providers.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(["pp_sbp_main", "pp_crypto_main"]))

  const signedIn = await axios.post<{ token: string }>(`${backend}/auth/user/emailpass`, ADMIN)
  const admin = axios.create({
    baseURL: backend,
    headers: { authorization: `Bearer ${signedIn.data.token}` },
  })
  const tokens = await admin.get<{ callback_url: string }>("/admin/payment-service/callback-tokens")
  await axios.put(`${simulator.url}/__simulator/callback`, { url: tokens.data.callback_url })

  const shopper = new Shopper({ shop, http })
  const payment = await shopper.checkout("sbp")
  await axios.post(
    `${simulator.url}/__simulator/transactions/${payment.data.transaction_id}/pay`,
    {}
  )
  const orderId = await paidOrder(shopper, payment.sessionId)
  const order = await admin.get<{
    order: { payment_status: string; summary: { pending_difference: number } }
  }>(`/admin/orders/${orderId}?fields=payment_status,summary`)
  expect(order.data.order.payment_status).toBe("captured")
  expect(order.data.order.summary.pending_difference).toBe(0)

  // Nothing in the README's configuration makes locks hold in more than one process.
  expect(printed().match(/locks carts in the memory of this process/g)).toHaveLength(1)

  // The documents' own command, in the store's folder.
  const operations = readFileSync(path.resolve(__dirname, "../../docs/operations.md"), "utf8")
  const [, command = "", script = ""] = /^npx (\S+) (erase-payer) /m.exec(operations) ?? []
  const erased = await promisify(execFile)(
    path.join(folder, "node_modules/.bin", command),
    [script, "guest@shopper.test"],
    { cwd: folder, env: environment }
  )
  expect(erased.stdout).toContain("payments that no longer name this payer: 1;")

  // Core logs every request with its address; the callback's holds a secret.
  const token = tokens.data.callback_url.split("/").at(-1) ?? ""
  expect(printed()).toContain("/hooks/payment-service/***")
  expect(printed()).not.toContain(token)
})

it("stops the start with a sentence when an option is wrong", async () => {
  const failed = await medusa(["exec", "./shop/seed.ts", path.join(folder, "never.json")], {
    PAYMENT_SERVICE_MERCHANT_ID: "not-a-uuid",
  }).then(
    () => "it started",
    (error: unknown) => String((error as { stdout?: string }).stdout ?? error)
  )
  expect(failed).toContain("merchantId must be the merchant id, a UUID")
})

it.each([
  [
    "stops when the plugin is listed twice",
    `config.plugins.push({ resolve: "${PLUGIN}", options: {} })`,
    `${PLUGIN}: must be listed once in the plugins of medusa-config.ts`,
  ],
  [
    "stops when the payment provider is given options",
    "config.modules.payment.options.providers[0].options = { secret: 's3cret' }",
    `${PLUGIN}: secret must be given to the plugin, not to its payment provider`,
  ],
  [
    "tells of a payment provider without the plugin",
    "config.plugins = []",
    `but not the plugin, so nobody can pay by it. Add { resolve: "${PLUGIN}" }`,
  ],
  [
    "tells of the plugin without its payment provider",
    "config.modules.payment.options.providers = []",
    "No payment provider of this plugin is set up",
  ],
])("%s", async (_, change, sentence) => {
  const file = path.join(folder, "medusa-config.ts")
  const own = readFileSync(file, "utf8")
  const config = own.replace(
    /(module\.exports =|export default) (?=defineConfig)/,
    "const config = "
  )
  writeFileSync(file, `${config}\n${change}\nmodule.exports = config\n`)
  writeFileSync(path.join(folder, "shop/nothing.ts"), "export default async () => {}")
  const printed = await medusa(["exec", "./shop/nothing.ts"]).catch((error: unknown) =>
    String((error as { stdout?: string }).stdout ?? error)
  )
  writeFileSync(file, own)
  expect(printed).toContain(sentence)
})

it(
  "is built into the store's own dashboard, with its pages, texts and styles",
  async () => {
    const assets = path.join(await builtDashboard(), "assets")
    const built = readdirSync(assets)
    const read = (name: string) => readFileSync(path.join(assets, name), "utf8")
    const textOf = (ending: string) =>
      built
        .filter((name) => name.endsWith(ending))
        .map(read)
        .join("\n")
    const scripts = textOf(".js")
    for (const part of [
      "payment_service_transaction.list",
      "payment_service_problem.details",
      "payment-service-order-payment",
      "Оплата через СБП и криптовалютой",
    ]) {
      expect({ part, isThere: scripts.includes(part) }).toEqual({ part, isThere: true })
    }
    // A class of ours that the dashboard itself does not use.
    expect(textOf(".css")).toContain("size-\\[160px\\]")
  },
  LONGEST_BUILD_MS
)

/** Node's answers, in a store, to imports of the package, by what stands behind its name. */
async function resolvedIn(store: string, subpaths: string[]): Promise<string[]> {
  const program = `console.log(JSON.stringify(${JSON.stringify(subpaths)}.map((subpath) => {
    try {
      require.resolve("${PLUGIN}" + subpath)
      return "found"
    } catch ({ code }) {
      return code
    }
  })))`
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", program], { cwd: store })
  return JSON.parse(stdout) as string[]
}

async function medusa(words: string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const service = { PAYMENT_SERVICE_URL: ANYWHERE }
  return await medusaIn(folder, words, { ...service, ...environment, ...more })
}

async function startSimulator(): Promise<{ url: string }> {
  const child = spawn(
    process.execPath,
    [
      await installedSimulator(),
      ...["--port", "0", "--merchant", MERCHANT],
      `--secret=${environment.PAYMENT_SERVICE_SECRET ?? ""}`,
    ],
    { cwd: folder, stdio: ["ignore", "pipe", "inherit"] }
  )
  processes.push(child)
  for await (const line of createInterface(child.stdout)) {
    return JSON.parse(line) as { url: string }
  }
  throw new Error("The simulator printed nothing")
}

/** @returns what the store has printed so far */
async function startStore(backend: string): Promise<() => string> {
  const child = spawn(process.execPath, [medusaCli(folder), "start"], {
    cwd: folder,
    env: { ...environment, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  processes.push(child)
  let output = ""
  const keep = (chunk: Buffer) => (output += chunk.toString())
  child.stdout.on("data", keep)
  child.stderr.on("data", keep)
  const giveUpAt = Date.now() + PATIENCE_MS
  while (Date.now() < giveUpAt && child.exitCode === null) {
    const answer = await axios.get(`${backend}/health`).catch(() => null)
    if (answer?.status === 200) return () => output
    await pause(200)
  }
  throw new Error(`The store did not start:\n${output}`)
}

async function paidOrder(shopper: Shopper, sessionId: string): Promise<string> {
  return await eventually("an order", async () => {
    const { data } = await shopper.poll(sessionId)
    const { session } = data as { session: { state: string; order_id: string | null } }
    if (session.order_id) expect(session.state).toBe("paid")
    return session.order_id
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
