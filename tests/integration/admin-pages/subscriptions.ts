import { randomUUID } from "node:crypto"

import type { ICustomerModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { adminOf } from "../admin"
import { type Passes, takeOverPasses } from "../passes"
import { type TestStore, withOptions } from "../store"
import { namedByCallbacks, SEEDED } from "./named-by-callbacks"

const ADDRESS = "/admin/payment-service/subscriptions"
const SECOND = 1_000
const DAY = 86_400_000

interface Listed {
  id: string
  status: number | null
  status_label: string | null
  interval_unit: number | null
  interval_label: string | null
  customer_id: string | null
  [field: string]: unknown
}
interface Answer {
  subscriptions: Listed[]
  unreadable: number
  count: number
  limit: number
  offset: number
  codes: unknown
}

export function subscriptionsForAdmins(store: TestStore): void {
  const admin = adminOf(store)
  const asked = () => store.simulator.requests({ on: "subscriptions" }).map(({ path }) => path)
  const list = async (query = ""): Promise<Answer> => {
    const { status, data } = await admin.get(`${ADDRESS}?${query}`)
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(data)}`)
    return data as unknown as Answer
  }
  const idsOf = ({ subscriptions }: Answer) => subscriptions.map(({ id }) => id)

  it("lists what the service has, with its codes and nulls as they are", async () => {
    const answer = await list()
    expect(asked()).toEqual(["/subscription?size=20"])
    expect(answer).toMatchObject({
      count: 6,
      limit: 20,
      offset: 0,
      codes: { statusCodes: {}, intervalCodes: {} },
    })
    expect(answer.subscriptions[0]).toEqual({
      id: SEEDED(6),
      status: 1,
      status_label: null,
      amount: "990",
      currency: "RUB",
      interval_unit: 3,
      interval_label: null,
      interval_count: 1,
      next_charge_at: null,
      last_charge_at: null,
      charges_count: 0,
      customer_email: null,
      customer_id: null,
      description: "Not charged yet",
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
    // The service refuses such large pages, and is asked for its own.
    store.simulator.clearRequests()
    expect(idsOf(await list("limit=200"))).toEqual([6, 5, 4, 3, 2, 1].map(SEEDED))
    expect(asked()).toEqual(["/subscription?size=200", "/subscription"])
    // Pages that are counted from 0 and hold no more than two, whatever was asked for.
    const item = (number: number) => ({
      id: SEEDED(number),
      status: 1,
      amount: 1,
      currencyCode: "RUB",
      intervalUnit: 1,
      intervalCount: 1,
    })
    for (const page of [0, 1, 2]) {
      const items = [item(2 * page + 1), item(2 * page + 2)]
      const body = { items, total: 6, page, size: 2 }
      store.simulator.fault({ on: "subscriptions", kind: "body", body })
    }
    store.simulator.clearRequests()
    expect(idsOf(await list("limit=5"))).toEqual([1, 2, 3, 4, 5].map(SEEDED))
    expect(asked().slice(1)).toEqual(["/subscription?page=1&size=5", "/subscription?page=2&size=5"])
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

  it("shows one with its charges, and says when the service has none or does not answer (promise 10)", async () => {
    const { data } = await admin.get(`${ADDRESS}/${SEEDED(4)}`)
    expect(data.subscription).toMatchObject({
      id: SEEDED(4),
      status: "PastDue",
      interval_unit: "Month",
      interval_count: 1,
      amount: "990",
      currency: "RUB",
      start_at: expect.any(String),
      charge_metrics: {
        charges_total: 3,
        charges_success: 1,
        charges_failed: 2,
        total_amount: "990",
        last_charge_at: expect.any(String),
      },
      merchant_id: store.simulator.merchantId,
    })
    // A direct link, too, has the codes that are to be named.
    expect(data.subscription).toMatchObject({
      listed: { status: 3, status_label: null, interval_unit: 3, interval_label: null },
    })
    const none = `${ADDRESS}/${randomUUID()}`
    expect(await admin.get(none, { "accept-language": "ru" })).toMatchObject({
      status: 404,
      data: { code: "unknown_subscription", message: expect.stringContaining("нет подписки") },
    })
    store.simulator.fault({ on: "subscriptions", times: Infinity, kind: "status", status: 503 })
    for (const address of [ADDRESS, `${ADDRESS}/${SEEDED(1)}`]) {
      const { status, data: failed } = await admin.get(address)
      expect([status, failed.message]).toEqual([
        500,
        expect.stringContaining("payment service could not be asked"),
      ])
    }
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
      // Of a subscription whose names the options have, no codes are asked for.
      store.simulator.clearRequests()
      const { data } = await admin.get(`${ADDRESS}/${SEEDED(6)}`)
      expect(data.subscription).toMatchObject({ status: "Active", listed: null })
      expect(asked()).toEqual([`/subscription/${SEEDED(6)}`])
    })
  })

  describe("that callbacks name", () => {
    let passes: Passes
    beforeAll(async () => {
      // Time passes here: what other tests have left open would expire, and callbacks would tell of it.
      const open = store.simulator.transactions().filter(({ status }) => status === "PENDING")
      await Promise.all(open.map(({ id }) => store.simulator.expire(id, { callback: false })))
    })
    beforeEach(async () => {
      passes = await takeOverPasses(store)
    })

    it("are never asked for unless the store wants to know (promise 12)", async () => {
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
}
