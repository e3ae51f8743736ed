import { Agent } from "node:http"
import path from "node:path"

import type {
  IEventBusModuleService,
  IWorkflowEngineService,
  Logger,
  MedusaContainer,
} from "@medusajs/framework/types"
import { asValue } from "@medusajs/framework/awilix"
import { DistributedTransaction } from "@medusajs/framework/orchestration"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { medusaIntegrationTestRunner } from "@medusajs/test-utils"
import type * as bootstrapApp from "@medusajs/test-utils/dist/medusa-test-runner-utils/bootstrap-app"
import type * as postgresTemplate from "@medusajs/test-utils/dist/medusa-test-runner-utils/postgres-template"
import type * as useDatabase from "@medusajs/test-utils/dist/medusa-test-runner-utils/use-db"
import type * as waitForWorkflows from "@medusajs/test-utils/dist/medusa-test-runner-utils/wait-workflow-executions"
import axios, { type AxiosInstance } from "axios"

import type { SeededShop } from "../../demo/seed"
import type * as reconcileJob from "../../src/jobs/reconcile"
import {
  PAYMENT_SERVICE_MODULE,
  PaymentServiceModuleService,
} from "../../src/modules/payment-service"
import { Queue, queueOf } from "../../src/payments/queue"
import { withDeadline } from "../../src/values/deadline"
import {
  type SimulatedTransaction,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from "../../simulator"
import { freePort } from "../free-port.cjs"
import { forgetContent, keepContent, putContentBack } from "../postgres/kept-content"
import { preparedShop } from "../postgres/prepared-shop"
import { eventually, explainBy } from "./eventually"
import { type Bought, buyWith, type Cart, settledRow, Shopper } from "./shopper"
import { undoWhatTheTestDid } from "./until-the-test-ends"

export { eventually, settledRow }

/** Every database is a copy of the prepared one; to find out that it has its tables takes seconds for each file. */
jest.mock<typeof useDatabase>("@medusajs/test-utils/dist/medusa-test-runner-utils/use-db", () => ({
  ...jest.requireActual<typeof useDatabase>(
    "@medusajs/test-utils/dist/medusa-test-runner-utils/use-db"
  ),
  migrateDatabase: () => Promise.resolve(),
  syncLinks: () => Promise.resolve(),
}))

/** Between tests a store keeps its database and its connections. */
jest.mock<typeof postgresTemplate>(
  "@medusajs/test-utils/dist/medusa-test-runner-utils/postgres-template",
  () => ({
    ...jest.requireActual<typeof postgresTemplate>(
      "@medusajs/test-utils/dist/medusa-test-runner-utils/postgres-template"
    ),
    createPostgresDatabaseTemplate: ({ databaseName }) => keepContent(databaseName),
    restorePostgresDatabaseFromTemplate: ({ databaseName }) => putContentBack(databaseName),
    dropPostgresDatabaseTemplate: () => forgetContent(),
  })
)

/** A completion that core's engine broke off never ends: what has not moved for this long is not waited for. */
const STILL_MS = 10_000
jest.mock<typeof waitForWorkflows>(
  "@medusajs/test-utils/dist/medusa-test-runner-utils/wait-workflow-executions",
  () => ({
    waitWorkflowExecutions: async (container) => {
      const engine = container.resolve<IWorkflowEngineService>(Modules.WORKFLOW_ENGINE)
      await eventually("no workflow goes on", async () => {
        const going = await engine.listWorkflowExecutions({
          state: { $nin: ["not_started", "done", "reverted", "failed"] },
          updated_at: { $gt: new Date(Date.now() - STILL_MS).toISOString() },
        })
        return going.length === 0
      })
    },
  })
)

/**
 * Core's order module keeps its connection for ever when Postgres ends that in the middle of a change, and the pool waits for it. A
 * store is not waited for longer than this after the last test of its file.
 */
const SHUTDOWN_MS = 30_000
jest.mock<typeof bootstrapApp>(
  "@medusajs/test-utils/dist/medusa-test-runner-utils/bootstrap-app",
  () => ({
    startApp: async (options) => {
      const { startApp } = jest.requireActual<typeof bootstrapApp>(
        "@medusajs/test-utils/dist/medusa-test-runner-utils/bootstrap-app"
      )
      const { shutdown, ...app } = await startApp(options)
      return {
        ...app,
        shutdown: () => withDeadline(SHUTDOWN_MS, shutdown()).catch(() => undefined),
      }
    },
  })
)

const TEN_DAYS_MS = 864_000_000
/** At twenty past an hour it would find what the simulator keeps from other tests. */
jest.mock("../../src/jobs/reconcile", () => {
  const actual = jest.requireActual<typeof reconcileJob>("../../src/jobs/reconcile")
  return { ...actual, config: { ...actual.config, schedule: { interval: TEN_DAYS_MS } } }
})

/** A real store on a real Postgres with a simulator behind HTTP, as the tests of a file share it. */
export interface TestStore {
  readonly container: MedusaContainer
  /** The plugin's module as it was started last. */
  readonly module: PaymentServiceModuleService
  readonly simulator: Simulator
  readonly shop: SeededShop
  /** The store's API as a storefront calls it; answers of any status are returned, not thrown. */
  readonly http: AxiosInstance
  readonly backendUrl: string
  readonly callbackUrl: string
  /** Lines of Medusa's logger since the test began, as `level: message`. */
  readonly log: string[]
  /** Carts that nobody has taken yet since the test began, for `Shopper.cart`. */
  readonly readyCarts: Cart[]
  /** Orders that nobody has taken yet since the test began, for `buy` of the tests' stories. */
  readonly paidOrders: Bought[]
  /** The options with which the plugin's module was started. */
  readonly options: Record<string, unknown>
  /**
   * Starts the plugin's module again, as after a change of medusa-config.ts: with these options besides those that it had, where
   * undefined takes one away. Each test begins with the store's own options again.
   */
  readonly restartModule: (changes: Record<string, unknown>) => Promise<void>
  /** Events of Medusa since the test began; only those of `HEARD_EVENTS`. */
  readonly events: { name: string; data: { id: string; [key: string]: unknown } }[]
}

const ROOT = path.resolve(__dirname, "../..")
const HEARD_EVENTS = [
  "order.placed",
  "payment.captured",
  "payment_service.transaction_settled",
  "payment_service.problem_opened",
  "payment_service.subscription_updated",
  "payment_service.payout_created",
  "payment_service.payout_rejected",
  "payment_service.payout_unknown",
]

export const CALLBACK_TOKEN = "a-callback-token-of-the-tests"
const SUCCESS_URL = "http://shop.test/{country_code}/done?return={return_id}&state={state}"
const FAILURE_URL = "http://shop.test/failed?return={return_id}&state={state}"
const PENDING_URL = "http://shop.test/wait?return={return_id}&state={state}"

/** A module's service with the container that Medusa gave it. */
type Started = PaymentServiceModuleService & {
  __container__: ConstructorParameters<typeof PaymentServiceModuleService>[0]
}

/** The parts of medusa-config.ts that a test may want otherwise. */
export interface StoreConfig {
  modules: Record<string, { options?: Record<string, unknown> } | undefined>
}

/**
 * Boots a store for the tests of one file. The database is put back before each test to what it was
 * when the first one began; the simulator forgets its faults and settings, not its transactions.
 */
export function describeStore(
  name: string,
  options: {
    simulator?: SimulatorOptions
    env?: Record<string, string>
    /** Changes this repository's own medusa-config.ts before the store starts. */
    configure?: (config: StoreConfig) => void
    /** So many paid orders are there when each test begins: to buy one takes core two seconds. */
    paidOrders?: number
  },
  tests: (store: TestStore) => void
): void {
  describe(name, () => {
    const held: Partial<{ -readonly [key in keyof TestStore]: TestStore[key] }> = {}
    const { autoExpire = true, expiresInSeconds = 900 } = options.simulator ?? {}
    const { exportAs = "array", recordIds = "transaction" } = options.simulator ?? {}
    /** The settings of the simulator that tests change, as they are without that. */
    const usual = { autoExpire, expiresInSeconds, exportAs, recordIds }
    const before = { ...process.env }
    const { shop, carts } = preparedShop()
    const sold: { order: Bought; transaction: SimulatedTransaction }[] = []
    /** The module with the store's own options. */
    let own: PaymentServiceModuleService
    let ownOptions: Record<string, unknown> = {}

    const replaceModule = (
      module: PaymentServiceModuleService,
      options: Record<string, unknown>
    ) => {
      held.container?.register(PAYMENT_SERVICE_MODULE, asValue(module))
      Object.assign(held, { module, options })
    }
    const restartModule = async (changes: Record<string, unknown>) => {
      const options = { ...held.options, ...changes }
      const { __container__, clock } = held.module as Started
      const module = new PaymentServiceModuleService(__container__, options)
      module.clock = clock
      await module.__hooks.onApplicationStart()
      replaceModule(module, options)
    }

    beforeAll(async () => {
      const simulator = await startSimulator(options.simulator)
      const port = await freePort()
      held.simulator = simulator
      held.backendUrl = `http://localhost:${port}`
      held.callbackUrl = `${held.backendUrl}/hooks/payment-service/${CALLBACK_TOKEN}`
      Object.assign(process.env, {
        PORT: String(port),
        MEDUSA_BACKEND_URL: held.backendUrl,
        PAYMENT_SERVICE_URL: simulator.url,
        PAYMENT_SERVICE_MERCHANT_ID: simulator.merchantId,
        PAYMENT_SERVICE_SECRET: simulator.secret,
        PAYMENT_SERVICE_PAID_STATUSES: options.simulator?.statuses?.paid ?? "CONFIRMED",
        PAYMENT_SERVICE_EXPIRED_STATUSES: options.simulator?.statuses?.expired ?? "EXPIRED",
        PAYMENT_SERVICE_REVERSED_STATUSES: options.simulator?.statuses?.reversed ?? "CHARGEBACKED",
        PAYMENT_SERVICE_CALLBACK_TOKEN: CALLBACK_TOKEN,
        STOREFRONT_URL: "http://shop.test",
        STOREFRONT_SUCCESS_URL: SUCCESS_URL,
        STOREFRONT_FAILURE_URL: FAILURE_URL,
        STOREFRONT_PENDING_URL: PENDING_URL,
        ...options.env,
      })
      // Medusa imports the same module again, and with it what is changed here.
      const file = (await import(path.join(ROOT, "medusa-config"))) as { default: unknown }
      const config = file.default as StoreConfig
      options.configure?.(config)
      ownOptions = config.modules.payment_service?.options ?? {}
    })
    afterAll(async () => {
      await held.simulator?.close()
      process.env = before
    })

    medusaIntegrationTestRunner({
      inApp: true,
      cwd: ROOT,
      testSuite: ({ getContainer }) => {
        const store = new Proxy({} as TestStore, {
          get: (_, key: keyof TestStore) => {
            const value = held[key]
            if (value === undefined) throw new Error(`${key} is there only while tests run`)
            return value
          },
        })
        beforeAll(async () => {
          held.container = getContainer()
          held.shop = shop
          held.http = axios.create({
            // A connection that is kept may end just when it is used again.
            httpAgent: new Agent({ keepAlive: false }),
            baseURL: held.backendUrl ?? "",
            headers: { "x-publishable-api-key": held.shop.publishableKey },
            validateStatus: () => true,
            maxRedirects: 0,
          })
          own = held.container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
          replaceModule(own, ownOptions)
          held.restartModule = restartModule
          saveStepsInTurn()
          held.log = listenToLog(held.container)
          explainBy(held.log)
          held.events = listenToEvents(held.container)
          // A busy machine takes its time.
          Queue.longestWaitMs = 90_000
          const shopper = new Shopper(store)
          while (sold.length < (options.paidOrders ?? 0)) {
            const order = await buyWith(store, await shopper.open((await shopper.newCart()).id))
            const transaction = store.simulator.transaction(order.data.transaction_id)
            sold.push({ order, transaction })
          }
          await eventually("the shop is told of them", async () =>
            (await own.listEvents({})).every(({ send_at }) => send_at === null)
          )
          // The database as it is now is put back before each test: not with a claim in it.
          await queueOf(own).idle()
        })
        beforeEach(async () => {
          replaceModule(own, ownOptions)
          held.log?.splice(0)
          held.events?.splice(0)
          held.readyCarts = await freeOf(held.container, carts, ({ id }) => [id])
          const orders = sold.map(({ order }) => order)
          held.paidOrders = await freeOf(held.container, orders, (one) => [one.cartId, one.orderId])
          // The simulator keeps its transactions from test to test; nobody asks for what is this old.
          for (const { id } of store.simulator.transactions()) {
            store.simulator.edit(id, { createdAt: 0 })
          }
          for (const { transaction } of sold) store.simulator.edit(transaction.id, transaction)
          held.simulator?.clearFaults()
          held.simulator?.configure(usual)
          held.simulator?.clearRequests()
          held.simulator?.setCallbackUrl(held.callbackUrl ?? null)
        })
        // Within a group, so that who stands still goes on before the runner waits for the end of all workflows.
        describe("", () => {
          afterEach(undoWhatTheTestDid)
          tests(store)
        })
      },
    })
  })
}

/** During the tests of one `describe` the store has these options besides its own. */
export function withOptions(store: TestStore, options: () => Record<string, unknown>): void {
  beforeEach(() => store.restartModule(options()))
}

/** Every test begins with the same carts and orders: work of an earlier test that lost its database may hang, and hold one. */
async function freeOf<One>(
  container: MedusaContainer | undefined,
  all: One[],
  keysOf: (one: One) => string[]
): Promise<One[]> {
  if (!container) return []
  const locking = container.resolve(Modules.LOCKING)
  const ownerId = "tests"
  const free: One[] = []
  for (const one of all) {
    const held = await Promise.all(
      keysOf(one).map((key) =>
        locking.acquire(key, { ownerId, expire: 10 }).then(
          () => false,
          () => true
        )
      )
    )
    if (!held.includes(true)) free.push(one)
    for (const key of keysOf(one)) await locking.release(key, { ownerId })
  }
  return free
}

/**
 * Core's engine in memory refuses to save a workflow while another step of it is being saved, tries again for some seconds, and then
 * leaves the workflow in the middle. On a busy machine each test of a refused order would be about that, so steps wait here.
 */
function saveStepsInTurn(): void {
  const { keyValueStore: storage } = DistributedTransaction as unknown as {
    keyValueStore: { save: (key: string, ...data: unknown[]) => Promise<unknown> }
  }
  const save = storage.save.bind(storage)
  const last = new Map<string, Promise<unknown>>()
  storage.save = async (key, ...data) => {
    const saving = (last.get(key) ?? Promise.resolve()).then(() => save(key, ...data))
    last.set(
      key,
      saving.catch(() => undefined)
    )
    return await saving
  }
}

/** Every line goes on to the real logger. */
function listenToLog(container: MedusaContainer): string[] {
  const lines: string[] = []
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  for (const level of ["debug", "info", "warn", "error"] as const) {
    const write = (logger[level] as (...parts: unknown[]) => void).bind(logger)
    jest.spyOn(logger, level).mockImplementation((...parts: unknown[]) => {
      lines.push(`${level}: ${parts.map(String).join(" ")}`)
      write(...parts)
    })
  }
  return lines
}

function listenToEvents(container: MedusaContainer): TestStore["events"] {
  const events: TestStore["events"] = []
  const bus = container.resolve<IEventBusModuleService>(Modules.EVENT_BUS)
  for (const name of HEARD_EVENTS) {
    bus.subscribe(
      name,
      async ({ data }: { data: unknown }) => {
        events.push({ name, data: data as { id: string } })
      },
      { subscriberId: `tests-${name}` }
    )
  }
  return events
}
