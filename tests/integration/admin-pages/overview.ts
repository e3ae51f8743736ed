import { randomUUID } from "node:crypto"

import { problem } from "../../../src/problems/rules/problems"
import { addRows } from "../add-rows"
import { ADMIN_NAME, adminOf } from "../admin"
import { stopWatcher } from "../passes"
import { reconcileNow } from "../reconcile-now"
import { Shopper } from "../shopper"
import { eventually, type TestStore } from "../store"

const BASE = "/admin/payment-service"
const SECOND = 1_000
const DAY = 86_400_000

export function morningsLook(store: TestStore): void {
  const admin = adminOf(store)

  const ask = async <Answer>(path: string): Promise<Answer> => {
    const { status, data } = await admin.get(`${BASE}/${path}`)
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(data)}`)
    return data as Answer
  }
  const overview = async (query: Record<string, string> = {}) =>
    await ask<Record<string, unknown>>(`overview?${new URLSearchParams(query).toString()}`)
  const at = (iso: string) => new Date(iso)
  /** A payment that was opened and paid at these moments. */
  const paid = (
    opened: string,
    seconds: number,
    more: Parameters<typeof addRows>[1][number] = {}
  ) => ({
    opened_at: at(opened),
    paid_at: new Date(at(opened).getTime() + seconds * SECOND),
    settled_at: new Date(at(opened).getTime() + seconds * SECOND),
    state: "paid" as const,
    published_state: "paid" as const,
    read_currency: "RUB",
    read_amount: "1000",
    ...more,
  })

  it("sums what was paid by the days of the admin's zone, by method and currency, against the period before", async () => {
    await addRows(store, [
      // 23:59 and 00:01 of the next day in Moscow, which is 20:59 and 21:01 of one day in UTC.
      paid("2026-03-09T20:58:00Z", 60, { read_amount: "100.10" }),
      paid("2026-03-09T21:00:00Z", 60, { read_amount: "200.20" }),
      paid("2026-03-10T12:00:00Z", 120, { read_amount: "0.1" }),
      paid("2026-03-10T12:00:00Z", 300, {
        method: "crypto",
        read_amount: "50",
        read_currency: "USD",
      }),
      paid("2026-03-10T12:00:00Z", 10, { method: "crypto" }),
      // In the period before: its last second, and its first.
      paid("2026-03-08T20:59:59Z", 0, { read_amount: "7" }),
      paid("2026-03-06T21:00:00Z", 0, { read_amount: "8" }),
      // Outside of both.
      paid("2026-03-10T20:59:59Z", 1, { read_amount: "9999" }),
      paid("2026-03-06T20:59:59Z", 0, { read_amount: "9999" }),
      // Taken back, or not this store's.
      paid("2026-03-10T12:00:00Z", 5, { exception: "reversed" }),
      paid("2026-03-10T12:00:00Z", 5, { exception: "merchant_differs" }),
      paid("2026-03-10T12:00:00Z", 5, {
        handled: { at: "2026-03-11T00:00:00Z", as: "reversed", amount: "10", currency: "RUB" },
        handled_at: at("2026-03-11T00:00:00Z"),
      }),
      { opened_at: at("2026-03-10T12:00:00Z"), state: "expired" },
    ])
    const moscow = {
      from: "2026-03-08T21:00:00.000Z",
      to: "2026-03-10T21:00:00.000Z",
      time_zone: "Europe/Moscow",
    }
    const shown = await overview(moscow)
    expect(shown).toMatchObject({
      ...moscow,
      before: { from: "2026-03-06T21:00:00.000Z", to: "2026-03-08T21:00:00.000Z" },
      days: ["2026-03-09", "2026-03-10"],
      paid: {
        days: [
          { day: "2026-03-09", method: "sbp", currency: "RUB", count: 1, amount: "100.10" },
          { day: "2026-03-10", method: "crypto", currency: "RUB", count: 1, amount: "1000" },
          { day: "2026-03-10", method: "crypto", currency: "USD", count: 1, amount: "50" },
          { day: "2026-03-10", method: "sbp", currency: "RUB", count: 2, amount: "200.30" },
        ],
        totals: [
          { method: "crypto", currency: "RUB", count: 1, amount: "1000" },
          { method: "crypto", currency: "USD", count: 1, amount: "50" },
          { method: "sbp", currency: "RUB", count: 3, amount: "300.40" },
        ],
        before: [{ method: "sbp", currency: "RUB", count: 2, amount: "15" }],
      },
    })
    // In UTC both payments of the night are of one day.
    const utc = await overview({ from: "2026-03-09T00:00:00Z", to: "2026-03-10T00:00:00Z" })
    expect(utc).toMatchObject({
      time_zone: "UTC",
      paid: { days: [{ day: "2026-03-09", count: 2, amount: "300.30" }] },
    })
  })

  it("sums what orders have, so that it matches Medusa's, and tells apart what no order has, what went back, and the commission (promise 8)", async () => {
    const noon = "2026-04-10T12:00:00Z"
    const [settled] = await addRows(store, [
      paid(noon, 60, {
        read_amount: "100.10",
        figures: { commission: "3.3", commission_usdt: "0.04" },
      }),
      paid(noon, 60, { read_amount: "50", figures: { commission: "1.2" } }),
      paid(noon, 60, { settled_at: null, exception: "paid_twice", read_amount: "100.10" }),
      paid(noon, 60, { settled_at: null, exception: "amount_less", read_amount: "7" }),
      paid(noon, 60, {
        ...{ settled_at: null, exception: "paid_twice", read_amount: "9", exception_at: at(noon) },
        handled: { at: "2026-04-11T00:00:00Z", as: "paid", amount: "9", currency: "RUB" },
        handled_at: at("2026-04-11T00:00:00Z"),
      }),
    ])
    // It was paid in this period, and goes back now.
    const back = { kind: "payout", amount: "40.10", currency: "RUB" } as const
    await store.module.ledger.add({ ...back, transaction_row_id: settled!.id })
    const april = { from: "2026-04-10T00:00:00Z", to: "2026-04-11T00:00:00Z" }
    expect(await overview(april)).toMatchObject({
      paid: {
        totals: [
          {
            ...{ method: "sbp", currency: "RUB", count: 2, amount: "150.10" },
            ...{ commission: "4.5", commission_usdt: "0.04" },
          },
        ],
        apart: [
          { status: "handled", currency: "RUB", count: 1, amount: "9" },
          { status: "waits", currency: "RUB", count: 2, amount: "107.10" },
        ],
        refunds: [],
      },
    })
    const now = store.module.clock.now().getTime()
    const today = { from: new Date(now - DAY).toISOString(), to: new Date(now + DAY).toISOString() }
    expect(await overview(today)).toMatchObject({
      paid: { totals: [], refunds: [{ currency: "RUB", count: 1, amount: "40.10" }] },
    })
    // The list and the export say the same of each payment.
    const { transactions } = await ask<{ transactions: object[] }>(
      `transactions?${new URLSearchParams({ ...april, order: "-amount" }).toString()}`
    )
    expect(transactions).toHaveLength(5)
    expect(transactions).toContainEqual(
      expect.objectContaining({ paid_amount: "100.10", refunded_amount: "40.1" })
    )
  })

  it("tells which money waits for a person, by kind and age, and which is under way", async () => {
    await stopWatcher(store)
    const now = store.module.clock.now().getTime()
    const facts = (row: string) => ({
      row: row as never,
      exception: "amount_less" as const,
      late: false,
      reasons: [],
      asked: { amount: "1000", currency: "RUB" },
      paid: { amount: "900.5", currency: "RUB" },
    })
    for (const [row, ago] of [
      ["pstx_1", 0],
      ["pstx_2", 2],
      ["pstx_3", 2],
      ["pstx_4", 8],
    ] as const) {
      await store.module.problems.report(problem("amount_differs", facts(row)), {
        amount: "900.5",
        currency: "RUB",
      })
      const [opened] = await store.module.listProblems({ cause: `transaction:${row}` })
      const opened_at = new Date(now - ago * DAY)
      await store.module.updateProblems({ id: opened!.id, opened_at })
    }
    await store.module.problems.report(problem("callback_unreadable", {}))
    await store.module.problems.report(problem("amount_differs", facts("pstx_5")), {
      amount: "77",
      currency: "RUB",
    })
    await store.module.problems.close(["transaction:pstx_5"])

    const waits = {
      ...({ state: "paid", amount: "10" } as const),
      ...{ read_amount: "9.5", read_currency: "RUB" },
      paid_at: new Date(now),
    }
    await addRows(store, [{ amount: "10" }, { amount: "20" }, waits])
    expect(await overview()).toMatchObject({
      waiting: [
        { kind: "amount_differs", age: "week", currency: "RUB", count: 2, amount: "1801.0" },
        { kind: "amount_differs", age: "day", currency: "RUB", count: 1, amount: "900.5" },
        { kind: "amount_differs", age: "older", currency: "RUB", count: 1, amount: "900.5" },
        { kind: "callback_unreadable", age: "day", currency: null, count: 1, amount: null },
      ],
      under_way: [
        { standing: "payable", currency: "RUB", count: 2, amount: "30" },
        { standing: "waiting_for_medusa", currency: "RUB", count: 1, amount: "9.5" },
      ],
    })
  })

  it("keeps comparisons, the latest first, with what they found and the problems that opened (promise 13)", async () => {
    await stopWatcher(store)
    const payment = await new Shopper(store).checkout()
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    const { id } = store.simulator.addTransaction({
      amount: 55,
      payload: "pstx_01AAAAAAAAAAAAAAAAAAAAAAAA",
      status: "CONFIRMED",
    })
    // The simulator keeps what other tests have paid.
    for (const other of store.simulator.transactions()) {
      const isOwn = [id, payment.data.transaction_id].includes(other.id)
      if (!isOwn) store.simulator.edit(other.id, { createdAt: 0 })
    }
    await reconcileNow(store)
    store.simulator.fault({ on: "export", kind: "status", status: 503, times: Infinity })
    expect((await admin.post(`${BASE}/comparisons`)).status).toBe(202)
    await eventually("no comparison", async () => {
      const { running } = await ask<{ running: boolean }>("comparisons")
      return !running
    })
    const { comparisons, count } = await ask<{ comparisons: object[]; count: number }>(
      "comparisons"
    )
    expect(count).toBe(2)
    const merchant = {
      merchant_id: store.simulator.merchantId,
      base_url: store.simulator.url,
      started_at: expect.any(String),
      finished_at: expect.any(String),
    }
    expect(comparisons).toMatchObject([
      {
        ...merchant,
        state: "ended_early",
        error: expect.stringContaining("not available"),
        error_messages: { en: "the service is out of order", ru: "сервис не работает" },
      },
      {
        ...merchant,
        state: "done",
        settled: 1,
        problems: 1,
        error: null,
        error_messages: null,
      },
    ])
  })

  describe("the connection", () => {
    const check = async (body: object = {}) => {
      const { status, data } = await admin.post(`${BASE}/connection/check`, body)
      expect(status).toBe(200)
      return (data.checks as Record<string, unknown>[])[0]
    }
    const accepted = { outcome: "accepted", detail: null, messages: null, http_status: 200 }

    it("is shown without asking the service, and without secrets (promise 22)", async () => {
      const { merchantId, url, secret } = store.simulator
      const elsewhere = { merchant_id: randomUUID(), base_url: "https://gone.test" }
      await addRows(store, [
        { status: "CONFIRMED", state: "paid" },
        { status: "CONFIRMED", state: "paid" },
        { status: "ON_HOLD", exception: "unknown_status" },
        { status: "PENDING", ...elsewhere },
        { status: null, state: "unknown", ...elsewhere, base_url: "https://gone.test/v2" },
      ])
      // A provider that is alone takes what all accounts share, so nothing is to be chosen.
      expect(await ask("settings")).toMatchObject({ accounts: [{ account: "" }] })
      const shown = await ask<Record<string, unknown>>("connection")
      expect(shown).toMatchObject({
        accounts: [{ merchant_id: merchantId, base_url: url, has_signing_secret: false }],
        callback_url: store.callbackUrl,
        callback_tokens: expect.any(Array),
        payouts: { enabled: true, approval: false, per_day: 300_000, users: [ADMIN_NAME] },
        callbacks: { last_received_at: null, last_unreadable_at: null, problem_id: null },
        event_bus: { name: "LocalEventBusService", is_shared: false },
        locking: { name: "in-memory", is_shared: false },
        statuses: [
          {
            merchant_id: merchantId,
            base_url: url,
            status: "CONFIRMED",
            count: 2,
            meaning: "paid",
          },
          { status: "ON_HOLD", count: 1, meaning: "unknown" },
        ],
        unknown_places: [
          { ...elsewhere, count: 1 },
          { ...elsewhere, base_url: "https://gone.test/v2", count: 1 },
        ],
        watcher: { silences: [] },
      })
      const regions = shown.regions as { name: string; methods: object[] }[]
      expect(regions.flatMap(({ methods }) => methods)).toEqual(
        expect.arrayContaining([
          {
            provider_id: "pp_sbp_main",
            method: "sbp",
            account: "main",
            has_account: true,
            takes_currency: true,
          },
        ])
      )
      expect(store.simulator.requests()).toEqual([])
      expect(JSON.stringify(shown)).not.toContain(secret)
    })

    it("warns of a live store's service on this machine and of a backend by http, as the start does", async () => {
      expect(await ask("connection")).toMatchObject({ warnings: [] })
      process.env.NODE_ENV = "production"
      try {
        await store.restartModule({})
        const { warnings } = await ask<{ warnings: { code: string; messages: { en: string } }[] }>(
          "connection"
        )
        expect(warnings).toEqual([
          {
            code: "service_on_this_machine",
            messages: { en: expect.any(String), ru: expect.any(String) },
          },
          { code: "backend_by_http", messages: { en: expect.any(String), ru: expect.any(String) } },
        ])
        for (const { messages } of warnings) {
          expect(store.log).toContain(`warn: Payment Service: ${messages.en}`)
        }
      } finally {
        process.env.NODE_ENV = "test"
      }
    })

    it("is checked with one minute's list, which closes and opens the problem of refused credentials (promise 10)", async () => {
      expect(await check()).toMatchObject({
        merchant_id: store.simulator.merchantId,
        base_url: store.simulator.url,
        checked_at: expect.any(String),
        credentials: accepted,
        signature: null,
      })
      const [asked] = store.simulator.requests({ on: "export" })
      const { from, to } = JSON.parse(asked?.body ?? "") as { from: string; to: string }
      expect(Date.parse(to) - Date.parse(from)).toBe(60_000)

      // With a signing secret, the saved cards are listed, too.
      const { signingSecret, merchantId: merchant_id } = store.simulator
      await store.restartModule({ signingSecret })
      expect(await check()).toMatchObject({ credentials: accepted, signature: accepted })
      store.simulator.fault({ on: "export", times: 1, kind: "status", status: 503 })
      expect(await check()).toMatchObject({
        ...{ merchant_id, signature: accepted },
        credentials: { outcome: "unavailable", messages: { ru: "сервис не работает" } },
      })

      const { secret } = store.options
      await store.restartModule({ secret: "not-the-secret", signingSecret: "an-old-one" })
      expect(await check({ account: "main" })).toMatchObject({
        credentials: { outcome: "unauthorized", http_status: 401, detail: expect.any(String) },
        signature: { outcome: "unauthorized", detail: expect.stringContaining("signature") },
      })
      expect(await store.module.listProblems({ kind: "credentials_refused" })).toMatchObject([
        { closed_at: null },
      ])
      await store.restartModule({ secret })
      await check()
      expect(await store.module.listProblems({ kind: "credentials_refused" })).toMatchObject([
        { resolution: "settled" },
      ])
    })
  })
}
