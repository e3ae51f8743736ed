import { randomUUID } from "node:crypto"

import { problem } from "../../../src/problems/rules/problems"
import { adminOf } from "../admin"
import { exportingService, sendRecords, startOfUnusedYear } from "../exporting-service"
import { payUntilSettled, Shopper } from "../shopper"
import { type TestStore, withOptions } from "../store"

const ADDRESS = "/admin/payment-service/service-transactions"
const DAY = 86_400_000

interface Listed {
  record_id: string
  recorded_at: string
  amount: string
  status: string
  meaning: string
  method: string
  transaction_row_id: string | null
  order_number: number | null
}
interface Answer {
  transactions: Listed[]
  count: number
  totals: { status: string; method: string; currency: string; count: number; amount: string }[]
  fetched_at: string
  warning: {
    code: string
    messages: { en: string; ru: string }
    detail: string
    unreadable: number | null
  } | null
  codes: unknown
}

export function servicesOwnList(store: TestStore): void {
  withOptions(store, () => ({
    export: {
      statusCodes: { Paid: "1", Canceled: "2" },
      methodCodes: { SBP: "2" },
    },
  }))

  const admin = adminOf(store)
  let from: Date
  beforeEach(() => {
    from = startOfUnusedYear()
  })
  const paramsOf = (query: Record<string, string | string[]>) => {
    const params = new URLSearchParams({
      from: from.toISOString(),
      to: new Date(from.getTime() + 300 * DAY).toISOString(),
    })
    for (const [name, value] of Object.entries(query)) {
      if (Array.isArray(value)) for (const one of value) params.append(`${name}[]`, one)
      else params.set(name, value)
    }
    return params.toString()
  }
  const ask = async (query: Record<string, string | string[]> = {}) =>
    await admin.get(`${ADDRESS}?${paramsOf(query)}`)
  const list = async (query: Parameters<typeof ask>[0] = {}): Promise<Answer> => {
    const { status, data } = await ask(query)
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(data)}`)
    return data as unknown as Answer
  }
  /** The contents of the file of the same question, its period as given or that of the list. */
  const exported = async (query: Record<string, string | string[]>) => {
    const params = paramsOf({ source: "service", ...query })
    const { data } = await admin.get(`/admin/payment-service/exports/transactions.json?${params}`)
    return data as unknown as { recordId: string; status: string }[]
  }
  /** The day before now and the one after it. */
  const around = () => ({
    from: new Date(store.simulator.now() - DAY).toISOString(),
    to: new Date(store.simulator.now() + DAY).toISOString(),
  })
  const exports = () => store.simulator.requests({ on: "export" })
  /** One that is over, unless said otherwise: an open one would expire at once, and a callback would tell of it. */
  const add = (record: Parameters<typeof store.simulator.addTransaction>[0], day = 1) =>
    store.simulator.addTransaction({
      createdAt: from.getTime() + day * DAY,
      status: "EXPIRED",
      ...record,
    })

  it("lists what the service has, sorted, paged and summed, from one export", async () => {
    add({ amount: 100.5, status: "CONFIRMED" }, 1)
    add({ amount: 20, status: "CONFIRMED" }, 2)
    add({ amount: 3000, status: "CANCELED", description: "a toy" }, 3)
    const answers = await Promise.all([list(), list(), list({ order: "amount" })])
    expect(exports()).toHaveLength(1)
    expect(answers[0]).toMatchObject({
      count: 3,
      transactions: [{ amount: "3000" }, { amount: "20" }, { amount: "100.5" }],
      totals: [
        { status: "CONFIRMED", currency: "RUB", count: 2, amount: "120.5" },
        { status: "CANCELED", currency: "RUB", count: 1, amount: "3000" },
      ],
      warning: null,
      codes: { statusCodes: { Paid: "1", Canceled: "2" }, methodCodes: { SBP: "2" } },
    })
    expect(answers[2].transactions.map(({ amount }) => amount)).toEqual(["20", "100.5", "3000"])
    expect((await list({ limit: "1", offset: "1" })).transactions).toMatchObject([{ amount: "20" }])
    expect(await list({ q: "TOY" })).toMatchObject({ count: 1, totals: [{ amount: "3000" }] })
    expect(await list({ q: "100,50" })).toMatchObject({ count: 1 })
    expect(await list({ q: "%" })).toMatchObject({ count: 0, totals: [] })
    expect(exports()).toHaveLength(1)
    const canceled = await list({ status_name: ["CANCELED"] })
    expect(canceled).toMatchObject({ count: 1, totals: answers[0].totals })
    expect(await exported({ status_name: ["CANCELED"] })).toMatchObject([{ status: "CANCELED" }])
    expect(exports()).toHaveLength(2)
    // Labels are codes for the service, which filters by itself.
    await list({ status: ["Paid", "2"], method: "SBP", time_zone: "Europe/Moscow" })
    expect(JSON.parse(exports()[2]?.body ?? "")).toMatchObject({
      statuses: ["1", "2"],
      paymentMethods: ["2"],
      timeZoneId: "Europe/Moscow",
    })
  })

  it("leads from each record to its order, and shows what the store has never heard of", async () => {
    const payment = await new Shopper(store).checkout()
    const row = await payUntilSettled(store, payment)
    const today = around()
    const foreign = store.simulator.addTransaction({ amount: 77 })
    const shown = { transaction_row_id: row.id, order_number: expect.any(Number) }
    expect(await list({ ...today, known: "true" })).toMatchObject({
      transactions: [{ ...shown, record_id: row.transaction_id }],
    })
    const { transactions } = await list({ ...today, known: "false", q: foreign.id })
    expect(transactions).toMatchObject([
      { record_id: foreign.id, transaction_row_id: null, order_number: null },
    ])
    const { data } = await admin.get(`${ADDRESS}/${foreign.id}`)
    expect(data).toMatchObject({
      record: { id: foreign.id, amount: "77", commission: expect.any(String) },
      listed: { record_id: foreign.id, time_zone: "UTC" },
      transaction_row_id: null,
    })
    // The service may list what it does not answer for.
    store.simulator.fault({ on: "get", kind: "status", status: 404, times: 1 })
    expect((await admin.get(`${ADDRESS}/${foreign.id}`)).data).toMatchObject({
      record: null,
      listed: { record_id: foreign.id },
    })
    expect((await admin.get(`${ADDRESS}/${randomUUID()}`)).status).toBe(404)
    expect((await admin.get(`${ADDRESS}/nonsense`)).status).toBe(404)
  })

  it("shows what a list and a comparison said while the service does not answer (promise 10)", async () => {
    const listed = add({ amount: 5 })
    await list()
    const compared = randomUUID()
    await store.module.problems.report(
      problem("payment_not_here", {
        baseUrl: store.simulator.url,
        merchantId: store.simulator.merchantId,
        found: "unknown_reference",
        record: compared,
        reference: "pstx_1",
        listed: { status: "CONFIRMED", amount: "7", currency: "RUB" },
      }),
      { transaction_id: compared }
    )
    for (const on of ["get", "export"] as const) {
      store.simulator.fault({ on, times: Infinity, kind: "status", status: 503 })
    }
    const failures = [
      {
        account: null,
        merchant_id: store.simulator.merchantId,
        code: "unavailable",
        messages: { en: expect.any(String), ru: "сервис не работает" },
        detail: expect.any(String),
      },
    ]
    expect(await admin.get(`${ADDRESS}/${listed.id}`)).toMatchObject({
      status: 200,
      data: { record: null, listed: { record_id: listed.id }, compared: null, failures },
    })
    expect(await admin.get(`${ADDRESS}/${compared}`)).toMatchObject({
      status: 200,
      data: { record: null, listed: null, compared: { record_id: compared }, failures },
    })
    // Nothing proves that the store does not know it.
    expect((await admin.get(`${ADDRESS}/${randomUUID()}`)).status).toBe(500)
    const { status, data } = await ask({ time_zone: "Europe/Moscow" })
    expect([status, data.message]).toEqual([500, expect.stringContaining("try again")])
  })

  it("finds amounts as pages write them, order numbers, e-mail addresses and ids, as its file does (promise 19)", async () => {
    const payment = await new Shopper(store).checkout()
    const row = await payUntilSettled(store, payment)
    const { data: orders } = await store.container.resolve("query").graph({
      entity: "order",
      fields: ["display_id", "email"],
      filters: { id: row.order_id ?? "" },
    })
    const [order] = orders as unknown as { display_id: number; email: string }[]
    const ours = add({ amount: 12, description: "ours", payload: row.id })
    // A number in JSON may mean a sum without being it.
    const one = add({ amount: 1990.5000000000002, description: "Чай" }, 2)
    const other = add({ amount: 1990, description: "Кофе по 1990.5" }, 3)
    for (const [q, expected] of [
      ["1 990,50 ₽", [one]],
      ["1990.5", [one, other]],
      ["чай", [one]],
      [`#${order?.display_id}`, [ours]],
      [order?.email ?? "", [ours]],
      // The beginnings of ids.
      [row.cart_id?.slice(0, -5) ?? "", [ours]],
      [one.id.slice(0, 8).toUpperCase(), [one]],
      ["%", []],
    ] as [string, { id: string }[]][]) {
      const ids = expected.map(({ id }) => id).sort()
      const { transactions } = await list({ q })
      const listed = transactions.map(({ record_id }) => record_id).sort()
      const inFile = (await exported({ q })).map(({ recordId }) => recordId).sort()
      expect({ q, listed, inFile }).toEqual({ q, listed: ids, inFile: ids })
    }
  })

  it("knows a payment by its reference where the record's id is not the transaction's, as the file does", async () => {
    const payment = await new Shopper(store).checkout()
    const row = await payUntilSettled(store, payment)
    const today = around()
    store.simulator.configure({ recordIds: "own" })
    const recordId = store.simulator.transaction(payment.data.transaction_id).externalId
    const known = await list({ ...today, known: "true" })
    expect(known).toMatchObject({
      count: 1,
      transactions: [
        { record_id: recordId, transaction_row_id: row.id, order_number: expect.any(Number) },
      ],
    })
    expect(await list({ ...today, known: "false", q: row.id })).toMatchObject({ count: 0 })
    expect(await exported({ ...today, known: "true" })).toMatchObject([{ recordId }])
    // Its page knows it, too, though the service answers for transactions only.
    expect((await admin.get(`${ADDRESS}/${recordId}`)).data).toMatchObject({
      record: null,
      listed: { record_id: recordId, order_id: row.order_id },
      transaction_row_id: row.id,
    })
  })

  it("is fetched anew when an admin wants that or it is older than five minutes", async () => {
    add({ amount: 1 })
    const { fetched_at } = await list()
    add({ amount: 2 })
    // A script may send `fetch`, which changes nothing.
    expect(await list({ fetch: "any" })).toMatchObject({ count: 1, fetched_at })
    // Two who want it anew wait for the same one.
    store.simulator.fault({ on: "export", kind: "slow", delayMs: 500 })
    const answers = await Promise.all([list({ refresh: "true" }), list({ refresh: "true" })])
    expect(answers.map(({ count }) => count)).toEqual([2, 2])
    expect(exports()).toHaveLength(2)
    add({ amount: 3 })
    const real = store.module.clock
    store.module.clock = { now: () => new Date(real.now().getTime() + 5 * 60_000 + 1) }
    try {
      expect(await list()).toMatchObject({ count: 3 })
    } finally {
      store.module.clock = real
    }
  })

  it("asks for a shorter period where there are more than can be kept (promise 20)", async () => {
    const service = await exportingService()
    const createdAt = new Date(from.getTime() + DAY).toISOString()
    service.answer = (response) => sendRecords(response, 50_001, { createdAt })
    await store.restartModule({ baseUrl: service.url })
    const { status, data } = await ask().finally(() => service.close())
    expect([status, data.message]).toEqual([400, expect.stringContaining("a shorter period")])
  })
}
