import { randomUUID } from "node:crypto"

import { Client } from "@medusajs/framework/pg"
import type { IApiKeyModuleService, ICustomerModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import axios from "axios"

import forgetOld from "../../src/jobs/forget-old"
import { MOST_WAITING } from "../../src/modules/payment-service/subscription-lookups"
import { startSimulator } from "../../src/simulator"
import { freePort } from "../free-port.cjs"
import { createDatabase, databaseUrl, dropDatabase } from "../instances/database"
import { storeEnvironment } from "../instances/store-environment"
import { StoreInstance } from "../instances/store-instance"
import { migrate } from "../postgres/migrate"
import { addRows } from "./add-rows"
import { ADMIN, type Admin, logIn } from "./admin"
import { atLabelledPoints } from "./at-labelled-points"
import { type Passes, takeOverPasses } from "./passes"
import { describeStore, eventually, type TestStore, withOptions } from "./store"

const ADDRESS = "/admin/payment-service/subscriptions"
const SECOND = 1_000
const DAY = 86_400_000

interface Listed {
  id: string
  status: number
  status_label: string | null
  interval_unit: number
  interval_label: string | null
  customer_id: string | null
  [field: string]: unknown
}
interface Answer {
  subscriptions: Listed[]
  count: number
  limit: number
  offset: number
  codes: unknown
}

const SEEDED = (number: number) => `7d9e0c4a-51b2-4f0e-8a3d-00000000000${number}`

describeStore("subscriptions for admins", {}, (store) => {
  let admin: Admin
  beforeAll(async () => {
    admin = await logIn(store)
  })
  const asked = () => store.simulator.requests({ on: "subscriptions" }).map(({ path }) => path)
  const list = async (query = ""): Promise<Answer> => {
    const { status, data } = await admin.get(`${ADDRESS}?${query}`)
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(data)}`)
    return data as unknown as Answer
  }
  const idsOf = ({ subscriptions }: Answer) => subscriptions.map(({ id }) => id)

  it("is for admins only, with a secret API key, too, and says what is wrong with a question", async () => {
    expect((await store.http.get(ADDRESS)).status).toBe(401)
    expect((await store.http.get(`${ADDRESS}/${SEEDED(1)}`)).status).toBe(401)
    const { token } = await store.container
      .resolve<IApiKeyModuleService>(Modules.API_KEY)
      .createApiKeys({ title: "a script", type: "secret", created_by: "tests" })
    const auth = { username: token, password: "" }
    expect((await store.http.get(ADDRESS, { auth })).status).toBe(200)
    store.simulator.clearRequests()
    for (const [query, words] of [
      ["status=No such label", "subscriptions.statusCodes"],
      ["status=-1", "subscriptions.statusCodes"],
      ["from=2026-01-01", "ISO 8601"],
      ["from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "before"],
      ["limit=201", "limit"],
      ["offset=-1", "offset"],
      ["colour=red", "colour"],
    ]) {
      const { status, data } = await admin.get(`${ADDRESS}?${query ?? ""}`)
      expect({ query, status, message: data.message }).toEqual({
        ...{ query, status: 400 },
        message: expect.stringContaining(words ?? ""),
      })
    }
    expect(asked()).toEqual([])
  })

  it("lists what the service has, with its codes and nulls as they are", async () => {
    const answer = await list()
    expect(asked()).toEqual(["/subscription?size=20"])
    expect(answer).toMatchObject({
      ...{ count: 6, limit: 20, offset: 0 },
      codes: { statusCodes: {}, intervalCodes: {} },
    })
    expect(answer.subscriptions[0]).toEqual({
      ...{ id: SEEDED(6), status: 1, status_label: null, amount: "990", currency: "RUB" },
      ...{ interval_unit: 3, interval_label: null, interval_count: 1 },
      ...{ next_charge_at: null, last_charge_at: null, charges_count: 0 },
      ...{ customer_email: null, customer_id: null, description: "Not charged yet" },
      created_at: expect.stringMatching(/^\d{4}-.*417Z$/),
    })
    expect(idsOf(await list("status=3"))).toEqual([SEEDED(4)])
    const from = encodeURIComponent(new Date(store.simulator.now() - 50 * DAY).toISOString())
    const to = encodeURIComponent(new Date(store.simulator.now() - 10 * DAY).toISOString())
    expect(idsOf(await list(`from=${from}&to=${to}`))).toEqual([SEEDED(5), SEEDED(4)])
    expect(asked().at(-1)).toContain(`from=${from}`)
  })

  it("pages in whatever pages the service has", async () => {
    expect(idsOf(await list("limit=2&offset=2"))).toEqual([SEEDED(4), SEEDED(3)])
    // A part that begins within a page of the service's.
    expect(idsOf(await list("limit=4&offset=1"))).toEqual([5, 4, 3, 2].map(SEEDED))
    expect(await list("limit=4&offset=6")).toMatchObject({ subscriptions: [], count: 6 })
    // The service refuses such large pages, and is asked for its own.
    store.simulator.clearRequests()
    expect(idsOf(await list("limit=200"))).toEqual([6, 5, 4, 3, 2, 1].map(SEEDED))
    expect(asked()).toEqual(["/subscription?size=200", "/subscription"])
    // Pages that are counted from 0 and hold no more than two, whatever was asked for.
    const item = (number: number) => ({
      ...{ id: SEEDED(number), status: 1, amount: 1, currencyCode: "RUB" },
      ...{ intervalUnit: 1, intervalCount: 1 },
    })
    for (const page of [0, 1, 2]) {
      const items = [item(2 * page + 1), item(2 * page + 2)]
      const body = { items, total: 6, page, size: 2 }
      store.simulator.fault({ on: "subscriptions", kind: "body", body })
    }
    store.simulator.clearRequests()
    expect(idsOf(await list("limit=5"))).toEqual([1, 2, 3, 4, 5].map(SEEDED))
    expect(asked().slice(1)).toEqual(["/subscription?page=1&size=5", "/subscription?page=2&size=5"])
    // One that says it has more and never gives it is not asked for ever.
    const body = { items: [item(1)], total: 100, page: 1, size: 20 }
    store.simulator.fault({ on: "subscriptions", kind: "body", times: Infinity, body })
    store.simulator.clearRequests()
    expect(await list("limit=10")).toMatchObject({ count: 100, limit: 1 })
    expect(asked()).toHaveLength(2)
  })

  it("says nothing found for a 404, and in words that the service is down or answers nonsense", async () => {
    store.simulator.fault({ on: "subscriptions", kind: "status", status: 404 })
    expect(await list()).toMatchObject({ subscriptions: [], count: 0 })
    for (const [fault, words] of [
      [{ kind: "status", status: 503 }, "try again"],
      [{ kind: "status", status: 401 }, "401"],
      [{ kind: "html" }, "not JSON"],
      [{ kind: "body", body: { items: {}, total: 1 } }, "items"],
    ] as const) {
      store.simulator.fault({ on: "subscriptions", times: Infinity, ...fault })
      for (const address of [ADDRESS, `${ADDRESS}/${SEEDED(1)}`]) {
        const { status, data } = await admin.get(address)
        expect(status).toBe(500)
        if (address === ADDRESS) expect(String(data.message)).toContain(words)
        expect(String(data.message)).toContain("subscriptions could not be read")
      }
      store.simulator.clearFaults()
    }
  })

  it("leads to the customer with the same e-mail, to an account rather than a guest", async () => {
    const customers = store.container.resolve<ICustomerModuleService>(Modules.CUSTOMER)
    const [account, , guest] = await customers.createCustomers([
      { email: "payer1@example.com", has_account: true },
      { email: "payer1@example.com" },
      { email: "payer2@example.com" },
    ])
    store.simulator.editSubscription(SEEDED(2), { customerEmail: "Payer2@Example.com" })
    const found = new Map(
      (await list()).subscriptions.map(({ id, customer_id }) => [id, customer_id])
    )
    expect([1, 2, 3, 6].map((number) => found.get(SEEDED(number)))).toEqual([
      ...[account?.id, guest?.id, null, null],
    ])
    const { data } = await admin.get(`${ADDRESS}/${SEEDED(2)}`)
    expect(data.subscription).toMatchObject({ customer_id: guest?.id })
  })

  it("shows one with its charges", async () => {
    const { data } = await admin.get(`${ADDRESS}/${SEEDED(4)}`)
    expect(data.subscription).toMatchObject({
      ...{ id: SEEDED(4), status: "PastDue", interval_unit: "Month", interval_count: 1 },
      ...{ amount: "990", currency: "RUB", start_at: expect.any(String) },
      charge_metrics: {
        ...{ charges_total: 3, charges_success: 1, charges_failed: 2, total_amount: "990" },
        last_charge_at: expect.any(String),
      },
      merchant_id: store.simulator.merchantId,
    })
    const fresh = await admin.get(`${ADDRESS}/${SEEDED(6)}`)
    expect(fresh.data.subscription).toMatchObject({ next_charge_at: null, customer_email: null })
    expect((await admin.get(`${ADDRESS}/${randomUUID()}`)).status).toBe(404)
    expect((await admin.get(`${ADDRESS}/nonsense`)).status).toBe(404)
  })

  describe("with labels", () => {
    withOptions(store, () => ({
      subscriptions: {
        statusCodes: { Active: "1", "Past due": "3" },
        intervalCodes: { Month: "3" },
      },
    }))

    it("names the codes that the options name, and finds by them", async () => {
      const answer = await list("status=Past%20due")
      expect(answer.subscriptions).toMatchObject([
        { id: SEEDED(4), status: 3, status_label: "Past due", interval_label: "Month" },
      ])
      expect(answer.codes).toMatchObject({ statusCodes: { Active: "1" } })
      const others = (await list()).subscriptions
      expect(others.find(({ id }) => id === SEEDED(5))).toMatchObject({
        ...{ status: 4, status_label: null, interval_unit: 4, interval_label: null },
      })
    })
  })

  describe("that callbacks name", () => {
    let passes: Passes
    beforeEach(async () => {
      passes = await takeOverPasses(store)
    })
    afterEach(() => {
      passes.release()
    })

    it("are never asked for unless the store wants to know", async () => {
      await store.simulator.sendSubscriptionCallback(SEEDED(1))
      passes.advance(10 * SECOND)
      await passes.watch()
      expect(asked()).toEqual([])
      expect(await store.module.listSubscriptionLookups({})).toEqual([])
    })

    describe("are told of", () => {
      withOptions(store, () => ({ subscriptions: { callbacks: true } }))
      namedByCallbacks(store, () => passes, asked)
    })
  })
})

function namedByCallbacks(store: TestStore, passesNow: () => Passes, asked: () => string[]): void {
  const told = () =>
    store.events.filter(({ name }) => name === "payment_service.subscription_updated")
  const call = async (body: unknown, times = 1) => store.simulator.sendRawCallback(body, { times })
  /** Asks for what is due after so many seconds. */
  const after = async (seconds: number) => {
    passesNow().advance(seconds * SECOND)
    await passesNow().runJob()
  }
  const requests = () => store.simulator.requests({ on: "subscriptions" })

  it("an unknown one once, a known one at each callback, coalesced", async () => {
    expect(await store.simulator.sendSubscriptionCallback(SEEDED(1))).toEqual([200])
    await call({ subscriptionId: SEEDED(1) }, 3)
    await after(4)
    expect(asked()).toEqual([`/subscription/${SEEDED(1)}`])
    await eventually("it is told", () => Promise.resolve(told().length === 1))
    expect(told()[0]?.data).toEqual({
      id: expect.stringMatching(/^psevt_/),
      subscription_id: SEEDED(1),
      merchant_id: store.simulator.merchantId,
      asked_at: expect.any(String),
      subscription: expect.objectContaining({
        ...{ id: SEEDED(1), status: "Active", amount: "990", customer_email: "payer1@example.com" },
        charge_metrics: expect.objectContaining({ charges_success: 5 }),
      }),
    })
    await after(120)
    expect(asked()).toHaveLength(1)

    store.simulator.editSubscription(SEEDED(1), { status: "Paused" })
    await call([{ id: SEEDED(1) }], 5)
    await after(0)
    expect(asked()).toHaveLength(2)
    await eventually("it is told again", () => Promise.resolve(told().length === 2))
    expect(told()[1]?.data).toMatchObject({ subscription: { status: "Paused" } })
    expect(told()[1]?.data.id).not.toBe(told()[0]?.data.id)
  })

  it("nothing of what is no subscription, for a day", async () => {
    const id = randomUUID()
    for (let times = 0; times < 3; times++) {
      await call({ id })
      await after(10)
    }
    expect(asked()).toEqual([`/subscription/${id}`])
    expect(told()).toEqual([])
    passesNow().advance(DAY + 1)
    await forgetOld(store.container)
    await call({ id })
    await after(4)
    expect(asked()).toHaveLength(2)
  })

  it("neither a transaction of ours, nor one whose creation is being answered, nor the merchant", async () => {
    const [known, early] = [randomUUID(), randomUUID()]
    const rowWith = (id: string) => ({ transaction_id: id, transaction_key: id, watch_at: null })
    await addRows(store, [rowWith(known)])
    await call({ id: known, merchantId: store.simulator.merchantId, other: early })
    await addRows(store, [rowWith(early)])
    await after(4)
    expect(asked()).toEqual([])
    expect(await store.module.listSubscriptionLookups({})).toEqual([])
  })

  it("one a second, on all instances together", async () => {
    await call([1, 2, 3].map(SEEDED))
    passesNow().advance(4 * SECOND)
    await Promise.all([1, 2, 3].map(() => passesNow().runJob()))
    await passesNow().runJob()
    const times = requests().map(({ at }) => at)
    expect(times).toHaveLength(3)
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(SECOND)
  })

  it("known ones first, however many ids somebody invents", async () => {
    await call({ id: SEEDED(1) })
    await after(4)
    await Promise.all(
      Array.from({ length: MOST_WAITING / 10 + 30 }, async () => {
        const ids = Array.from({ length: 10 }, () => randomUUID())
        await store.module.callbacks.keep({
          ...{ transactionIds: ids, subscriptionIds: ids, size: 1, digest: "00" },
        })
      })
    )
    const waiting = await store.module.listSubscriptionLookups({}, { select: ["id"], take: null })
    expect(waiting.length).toBeGreaterThanOrEqual(MOST_WAITING)
    expect(waiting.length).toBeLessThanOrEqual(MOST_WAITING + 101)
    passesNow().advance(10 * SECOND)
    await call({ id: SEEDED(1) })
    expect((await store.module.subscriptionLookups.claimDue())?.id).toBe(SEEDED(1))
  })

  it("what a process was asking for when it died, and what was named meanwhile", async () => {
    await call({ id: SEEDED(1) })
    let deaths = 1
    const release = atLabelledPoints(async (point) => {
      if (point !== "subscription:answered") return
      if (deaths-- > 0) throw new Error("killed")
      if (deaths === -1) await call({ id: SEEDED(1) })
    })
    try {
      await after(4)
      await after(30)
      expect(asked()).toHaveLength(1)
      expect(told()).toEqual([])
      // The callback that comes during the second answer is a reason for a third question.
      await after(31)
      expect(asked()).toHaveLength(3)
      await eventually("both are told", () => Promise.resolve(told().length === 2))
    } finally {
      release()
    }
  })

  it("what the service did not answer, later, and nothing else meanwhile", async () => {
    await call([1, 2].map(SEEDED))
    store.simulator.fault({ on: "subscriptions", kind: "status", status: 503 })
    await after(4)
    expect(asked()).toHaveLength(1)
    await after(1)
    expect(asked()).toHaveLength(1)
    await after(4)
    expect(asked()).toHaveLength(3)
    await eventually("both are told", () => Promise.resolve(told().length === 2))
  })

  it("an event that could not be sent is sent later, with the same id", async () => {
    const bus = store.container.resolve<{ emit: (...event: unknown[]) => Promise<void> }>(
      Modules.EVENT_BUS
    )
    const seen: unknown[] = []
    const spy = jest.spyOn(bus, "emit").mockImplementation((event) => {
      seen.push(event)
      return Promise.reject(new Error("the bus is away"))
    })
    try {
      await call({ id: SEEDED(3) })
      await after(4)
    } finally {
      spy.mockRestore()
    }
    expect(told()).toEqual([])
    await after(61)
    await eventually("it is told", () => Promise.resolve(told().length === 1))
    expect(seen).toMatchObject([{ data: { id: told()[0]?.data.id } }])
    expect(asked()).toHaveLength(1)
  })
}

describe("who may, with Medusa's roles switched on", () => {
  const atTheEnd: (() => Promise<void>)[] = []
  let instance: StoreInstance
  let database: Client
  beforeAll(async () => {
    const simulator = await startSimulator()
    atTheEnd.push(() => simulator.close())
    const name = await createDatabase()
    atTheEnd.push(() => dropDatabase(name))
    const url = databaseUrl(name)
    await migrate(url, { MEDUSA_FF_RBAC: "true" })
    instance = new StoreInstance("with roles", await freePort(), {
      ...storeEnvironment(simulator),
      ...{ DATABASE_URL: url, MEDUSA_FF_RBAC: "true" },
    })
    atTheEnd.push(() => instance.kill())
    await instance.ready()
    database = new Client({ connectionString: url })
    await database.connect()
    atTheEnd.push(() => database.end())
  }, 180_000)
  afterAll(async () => {
    for (const end of atTheEnd.reverse()) await end()
  })

  const READS = ["subscriptions", "transactions", "problems", "watcher", "callback-tokens"]
  const DEEDS = ["callback-tokens", "transactions/pstx_1/settle", "problems/psprob_1/handle"]

  /** The administrator with one role that has these policies, as the dashboard would sign in. */
  const adminWith = async (
    operations: string[],
    role = `role_${operations.join("_") || "none"}`
  ): Promise<Admin> => {
    await database.query(
      "insert into rbac_role (id, name) values ($1, $1) on conflict do nothing",
      [role]
    )
    await database.query(
      `insert into rbac_role_policy (id, role_id, policy_id)
       select $1 || id, $1, id from rbac_policy where resource = 'payment_service' and operation = any($2)`,
      [role, operations]
    )
    await database.query("delete from user_rbac_role")
    await database.query(
      `insert into user_rbac_role (id, user_id, rbac_role_id) select $1, id, $1 from "user" where email = $2`,
      [role, ADMIN.email]
    )
    return await logIn({
      http: axios.create({ baseURL: instance.url, validateStatus: () => true }),
    })
  }
  const statuses = async (admin: Admin) => ({
    reads: await Promise.all(
      READS.map(async (path) => (await admin.get(`/admin/payment-service/${path}`)).status)
    ),
    deeds: await Promise.all(
      DEEDS.map(async (path) => (await admin.post(`/admin/payment-service/${path}`)).status)
    ),
    exports: (await admin.get("/admin/payment-service/exports/none")).status,
  })

  it("refuses what no role of the user has", async () => {
    const { rows } = await database.query<{ operation: string }>(
      "select operation from rbac_policy where resource = 'payment_service' order by operation"
    )
    expect(rows.map(({ operation }) => operation)).toEqual(["export", "read", "update"])

    const nobody = await statuses(await adminWith([]))
    expect(nobody).toEqual({
      reads: READS.map(() => 403),
      deeds: DEEDS.map(() => 403),
      exports: 403,
    })

    const reader = await adminWith(["read"])
    const read = await statuses(reader)
    expect(read).toEqual({ reads: READS.map(() => 200), deeds: DEEDS.map(() => 403), exports: 403 })
    const { data } = await reader.get("/admin/rbac/me/permissions")
    expect(data.permissions).toContain("payment_service:read")
    expect(data.permissions).not.toContain("payment_service:update")

    const worker = await statuses(await adminWith(["read", "update"]))
    expect(worker.reads).toEqual(READS.map(() => 200))
    for (const status of worker.deeds) expect(status).not.toBe(403)
    expect(worker.exports).toBe(403)

    const root = await adminWith([], "role_super_admin")
    const { data: made } = await root.post("/admin/api-keys", { title: "a script", type: "secret" })
    const { token } = made.api_key as { token: string }
    const script = await axios.get(`${instance.url}${ADDRESS}`, {
      auth: { username: token, password: "" },
      validateStatus: () => true,
    })
    expect((await statuses(root)).reads).toEqual(READS.map(() => 200))
    // As on Medusa's own routes: a key has no roles.
    expect(script.status).toBe(403)

    const exporter = await statuses(await adminWith(["read", "export"]))
    expect(exporter.exports).not.toBe(403)
    expect(exporter.deeds).toEqual(DEEDS.map(() => 403))
  })
})
