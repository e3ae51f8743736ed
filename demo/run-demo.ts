import { readFile, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { startSimulator, type Simulator } from "../simulator"
import { startPostgres } from "../tests/postgres"
import { lockDataFolder, openDataFolder, secretsOf, type DemoSecrets } from "./data-folder"
import {
  accountEnvironment,
  checkEnvironment,
  emptyStoreEnvironment,
  storeEnvironment,
  withPayoutUsers,
} from "./environment"
import { publishBuiltDashboard } from "./built-dashboard"
import { makeHistory, nameSubscribers } from "./history"
import { startMedusa, whenHealthy } from "./medusa-command"
import { medusaPreferences } from "./medusa-preferences"
import { Progress } from "./progress"
import { describeDemo, type DemoReport } from "./report"
import { RunningParts } from "./running-parts"
import type { SeededDemo } from "./seed-demo"
import { earlierTransactions, keepTransactions } from "./simulator-records"
import { startStorefront } from "./storefront/server"
import { warmDashboard } from "./warm-dashboard"

type DemoOptions = {
  /** 0 for a storefront or a simulator on any free port. */
  ports: { medusa: number; storefront: number; simulator: number }
  /** One line of JSON on stdout instead of a description; progress goes to stderr. */
  json: boolean
  verbose: boolean
  /** Forget the data of earlier starts. */
  reset: boolean
  /** A shop without an account and without a history. */
  empty: boolean
  /** Whether a new shop begins with a week of payments. */
  history: boolean
}

const adminEmail = "admin@demo.test"
const secondAdminEmail = "second-admin@demo.test"

/** Starts the demo and stays until it is stopped. Ends the process. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const progress = new Progress(options.json ? process.stderr : process.stdout)
  const running = new RunningParts()
  running.onSignals(async () => {
    progress.say("\nStopping …")
    await running.stop()
    progress.say("Stopped. The next start uses the same data.")
    process.exit(0)
  })
  try {
    const report = await start(options, progress, running)
    console.log(options.json ? JSON.stringify(report) : describeDemo(report))
  } catch (error) {
    // Stopped while starting: whatever failed then failed because of it.
    if (running.isStopping) return
    progress.failed()
    console.error(error instanceof Error ? error.message : error)
    await running.stop()
    process.exit(1)
  }
}

async function start(
  options: DemoOptions,
  progress: Progress,
  running: RunningParts
): Promise<DemoReport> {
  const env = process.env
  checkEnvironment(env)
  const folder = await openDataFolder(options)
  running.add("lock", await lockDataFolder(folder))
  const secrets = await secretsOf(folder)
  const databaseUrl =
    env.DATABASE_URL || (await database(folder, secrets, options, progress, running))

  const backend = (env.MEDUSA_BACKEND_URL || `http://localhost:${options.ports.medusa}`).replace(
    /\/+$/,
    ""
  )
  // Listens from now on, on a port that the store is told before it starts, and opens when the store is there.
  const storefront = await startStorefront(options.ports.storefront)
  running.add("the storefront", () => storefront.close())
  const callbackToken = env.PAYMENT_SERVICE_CALLBACK_TOKEN || secrets.callbackToken
  const callbackUrl = `${backend}/hooks/payment-service/${callbackToken}`
  const simulator = env.PAYMENT_SERVICE_URL
    ? null
    : await runSimulator(folder, secrets, callbackUrl, options, progress, running)
  const service = env.PAYMENT_SERVICE_URL || `http://localhost:${simulator?.port}`

  const whole = storeEnvironment(env, secrets, {
    backend,
    storefront: storefront.url,
    databaseUrl,
    service,
  })
  const medusa = {
    env: {
      ...(options.empty ? { ...emptyStoreEnvironment(whole), DEMO_IS_EMPTY: "true" } : whole),
      XDG_CONFIG_HOME: await medusaPreferences(folder),
      DEMO_ADMIN_EMAIL: adminEmail,
      DEMO_ADMIN_PASSWORD: secrets.adminPassword,
      DEMO_SECOND_ADMIN_EMAIL: secondAdminEmail,
      DEMO_SECOND_ADMIN_PASSWORD: secrets.secondAdminPassword,
    },
    logFile: path.join(folder, "medusa.log"),
    verbose: options.verbose,
  }
  await writeFile(medusa.logFile, "")
  const command = async (title: string, args: string[]) => {
    await progress.during(title, async () => {
      // The users whom the options name are there only afterwards.
      const env = { ...medusa.env, PAYMENT_SERVICE_PAYOUTS_ENABLED: "false" }
      const process = startMedusa(args, { ...medusa, env })
      running.add(title, () => process.stop())
      if ((await process.ended) !== 0) {
        throw new Error(`${process.lastWords()}\n\n${title} failed; more is in ${medusa.logFile}`)
      }
    })
  }
  if (env.DATABASE_IS_MIGRATED !== "true") {
    await command("Migrating the database", ["db:migrate", "--execute-safe-links"])
  }
  const resultFile = path.join(folder, "shop.json")
  await command("Filling the shop", ["exec", "./demo/seed-demo.ts", resultFile])
  const shop = JSON.parse(await readFile(resultFile, "utf8")) as SeededDemo
  if (env.BUILT_DASHBOARD) await publishBuiltDashboard(env.BUILT_DASHBOARD)

  await progress.during("Starting the Medusa store", async () => {
    // Not `medusa develop`: it is this plus a restart at every change of a file.
    const env = options.empty ? medusa.env : withPayoutUsers(medusa.env, shop.adminIds)
    const store = startMedusa(["start", "--port", String(options.ports.medusa)], { ...medusa, env })
    running.add("the Medusa store", () => store.stop())
    endWith(running, "The Medusa store", store.ended, store.lastWords)
    const ready = whenHealthy(`http://localhost:${options.ports.medusa}/health`, 150)
    const failed = store.ended.then(() => {
      throw new Error(
        `${store.lastWords()}\n\nThe Medusa store does not start; see ${medusa.logFile}`
      )
    })
    await Promise.race([ready, failed])
  })
  if (env.DISABLE_DASHBOARD !== "true" && !env.BUILT_DASHBOARD) {
    await progress.during("Preparing the dashboard", () =>
      warmDashboard(`http://localhost:${options.ports.medusa}/app`)
    )
  }
  if (options.history && simulator) {
    const { owed, ...seeded } = shop
    const admin = { email: adminEmail, password: secrets.adminPassword }
    await makeHistory({ backend, admin, ...seeded }, { databaseUrl, simulator, owed }, progress)
    nameSubscribers(simulator)
  }
  await progress.during("Opening the storefront", () =>
    storefront.open({
      backendUrl: backend,
      publishableKey: shop.publishableKey,
      regionId: shop.regionId,
      orderPlacement:
        env.PAYMENT_SERVICE_ORDER_PLACEMENT === "before_payment"
          ? "before_payment"
          : "after_payment",
    })
  )

  return {
    storefront: storefront.url,
    backend,
    dashboard: `${backend}/app`,
    service,
    callbackUrl,
    publishableKey: shop.publishableKey,
    regionId: shop.regionId,
    variantIds: shop.variantIds,
    paymentLink: shop.owed
      ? `${storefront.url}/payment-collection/${shop.owed.collectionId}?order_id=${shop.owed.orderId}`
      : null,
    ...(options.empty
      ? {
          setUp: {
            backendUrl: backend,
            baseUrl: service,
            merchantId: secrets.merchantId,
            secret: secrets.merchantSecret,
            signingSecret: secrets.signingSecret,
            paidStatus: accountEnvironment(env, secrets).PAYMENT_SERVICE_PAID_STATUSES,
            resultPage: `${storefront.url}/result?return={return_id}&state={state}`,
          },
        }
      : {}),
    adminEmail,
    adminPassword: secrets.adminPassword,
    secondAdminEmail,
    secondAdminPassword: secrets.secondAdminPassword,
  }
}

async function database(
  folder: string,
  secrets: DemoSecrets,
  { reset }: DemoOptions,
  progress: Progress,
  running: RunningParts
): Promise<string> {
  return progress.during("Starting Postgres", async () => {
    const postgres = await startPostgres({
      folder: path.join(folder, "postgres"),
      password: secrets.databasePassword,
      reset,
    })
    running.add("Postgres", () => postgres.stop())
    endWith(running, "Postgres", postgres.ended)
    return postgres.url()
  })
}

async function runSimulator(
  folder: string,
  secrets: DemoSecrets,
  callbackUrl: string,
  { ports, reset }: DemoOptions,
  progress: Progress,
  running: RunningParts
): Promise<Simulator> {
  const account = accountEnvironment(process.env, secrets)
  const firstOf = (names: string) => names.split(",")[0]?.trim() || undefined
  const records = path.join(folder, "simulator.json")
  if (reset) await rm(records, { force: true })
  return progress.during("Starting the simulator", async () => {
    const server = await startSimulator({
      port: ports.simulator,
      merchantId: account.PAYMENT_SERVICE_MERCHANT_ID,
      secret: account.PAYMENT_SERVICE_SECRET,
      signingSecret: account.PAYMENT_SERVICE_SIGNING_SECRET,
      scheme: account.PAYMENT_SERVICE_SIGNATURE_SCHEME,
      callbackUrl,
      transactions: await earlierTransactions(records),
      statuses: {
        pending: firstOf(account.PAYMENT_SERVICE_PENDING_STATUSES),
        paid: firstOf(account.PAYMENT_SERVICE_PAID_STATUSES),
        canceled: firstOf(account.PAYMENT_SERVICE_CANCELED_STATUSES),
        expired: firstOf(account.PAYMENT_SERVICE_EXPIRED_STATUSES),
        reversed: firstOf(account.PAYMENT_SERVICE_REVERSED_STATUSES),
      },
    })
    const lastWrite = keepTransactions(records, server)
    running.add("the simulator", async () => {
      await lastWrite()
      await server.close()
    })
    return server
  })
}

/** Ends the demo when a part ends by itself. */
function endWith(
  running: RunningParts,
  name: string,
  ended: Promise<unknown>,
  lastWords?: () => string
): void {
  void ended.then(async () => {
    if (running.isStopping) return
    console.error(`${lastWords?.() ?? ""}\n\n${name} ended, so the demo ends too.`)
    await running.stop()
    process.exit(1)
  })
}
