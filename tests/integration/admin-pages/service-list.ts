import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { type AddressInfo, connect, createServer } from "node:net"
import { hostname } from "node:os"

import { memoryHeld } from "../../memory-held"
import { problem } from "../../../src/problems/rules/problems"
import { TIMEOUTS } from "../../../src/service/client"
import { adminOf } from "../admin"
import {
  type ExportingService,
  exportingService,
  recordAt,
  sendRecords,
} from "../exporting-service"
import { act } from "../problems-of"
import { reconcileNow } from "../reconcile-now"
import { payUntilSettled, Shopper } from "../shopper"
import { type TestStore, withOptions } from "../store"
import { startOfUnusedYear } from "./unused-year"
import { setUntilTheTestEnds } from "../until-the-test-ends"

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
  fetch: string
  fetched_at: string
  fetched_anew: boolean
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

  it("is for admins only, and says what is wrong with a question", async () => {
    expect((await store.http.get(ADDRESS)).status).toBe(401)
    for (const [query, words] of [
      [{ status: "No such label" }, "export.statusCodes"],
      [{ method: "x" }, "export.methodCodes"],
      [{ time_zone: "Moon/Base" }, "time zone"],
      [{ from: "2026-01-01" }, "ISO 8601"],
      [{ to: from.toISOString() }, "before"],
      [{ limit: "1000" }, "limit"],
    ] as [Record<string, string>, string][]) {
      const { status, data } = await ask(query)
      expect({ query, status, message: data.message }).toEqual({
        query,
        status: 400,
        message: expect.stringContaining(words),
      })
    }
    expect(exports()).toHaveLength(0)
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
    // Labels are codes for the service, which filters by itself.
    await list({ status: ["Paid", "2"], method: "SBP", time_zone: "Europe/Moscow" })
    expect(JSON.parse(exports()[1]?.body ?? "")).toMatchObject({
      statuses: ["1", "2"],
      paymentMethods: ["2"],
      timeZoneId: "Europe/Moscow",
    })
  })

  it("is narrowed to a status within the list that was fetched, as its file is", async () => {
    for (const [index, status] of ["CONFIRMED", "EXPIRED", "On hold", "EXPIRED"].entries()) {
      add({ amount: index + 1, status })
    }
    const all = await list()
    expect(all.transactions.map(({ status, meaning }) => [status, meaning]).sort()).toEqual([
      ["CONFIRMED", "paid"],
      ["EXPIRED", "expired"],
      ["EXPIRED", "expired"],
      ["On hold", "unknown"],
    ])
    const over = await list({ status_name: "EXPIRED", order: "amount" })
    // The totals still lead to the other statuses.
    expect(over).toMatchObject({
      count: 2,
      transactions: [{ amount: "2" }, { amount: "4" }],
      totals: all.totals,
      fetched_at: all.fetched_at,
    })
    expect(over.totals).toContainEqual(
      expect.objectContaining({ status: "On hold", meaning: "unknown", count: 1 })
    )
    const two = { status_name: ["On hold", "CONFIRMED"] }
    expect((await list(two)).count).toBe(2)
    expect(await list({ status_name: "expired" })).toMatchObject({ count: 0, transactions: [] })
    expect(exports()).toHaveLength(1)
    const file = await exported(two)
    expect(file.map(({ status }) => status).sort()).toEqual(["CONFIRMED", "On hold"])
  })

  it("is fetched anew when an admin wants that, and one that came meanwhile is taken", async () => {
    add({ amount: 1 })
    await list()
    add({ amount: 2 })
    expect((await list({ refresh: "false" })).count).toBe(1)
    // So long that both wait for the same one.
    store.simulator.fault({ on: "export", kind: "slow", delayMs: 500 })
    const answers = await Promise.all([list({ refresh: "true" }), list({ refresh: "true" })])
    expect(answers.map(({ count }) => count)).toEqual([2, 2])
    expect(exports()).toHaveLength(2)
    expect(await list()).toMatchObject({ count: 2, fetched_at: answers[0].fetched_at })
    expect((await ask({ refresh: "1" })).status).toBe(400)
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
    store.simulator.fault({
      on: "get",
      kind: "body",
      body: {
        id: foreign.id,
        status: "CONFIRMED",
        bank: "Т-Банк",
        apiSecret: "of theirs",
        paymentDetails: { amount: 77, currency: "RUB" },
      },
    })
    // Another implementation may say more than the specification shows.
    expect((await admin.get(`${ADDRESS}/${foreign.id}`)).data.record).toMatchObject({
      others: { bank: "Т-Банк", apiSecret: "***" },
    })
    const { data } = await admin.get(`${ADDRESS}/${foreign.id}`)
    expect(data).toMatchObject({
      record: { id: foreign.id, amount: "77", commission: expect.any(String), others: {} },
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

  it.each([
    ["500", { kind: "status", status: 500 }, "unavailable", "сервис не работает"],
    ["400", { kind: "status", status: 400 }, "invalid", "сервис отклоняет запрос"],
    ["a page of HTML", { kind: "html" }, "malformed", "ответ сервиса не удаётся разобрать"],
    ["silence", { kind: "slow", delayMs: 3_000 }, "timeout", "сервис не отвечает вовремя"],
  ] as const)(
    "shows what a list and a comparison said while the service answers with %s",
    async (_, fault, code, russian) => {
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
      if (code === "timeout") setUntilTheTestEnds(TIMEOUTS, { readMs: 500 })
      store.simulator.fault({ on: "get", times: Infinity, ...fault })
      const { merchantId: merchant_id } = store.simulator
      const messages = { en: expect.any(String), ru: russian }
      const failures = [{ account: null, merchant_id, code, messages, detail: expect.any(String) }]
      expect(await admin.get(`${ADDRESS}/${listed.id}`)).toMatchObject({
        status: 200,
        data: { record: null, listed: { record_id: listed.id }, compared: null, failures },
      })
      expect(await admin.get(`${ADDRESS}/${compared}`)).toMatchObject({
        status: 200,
        data: { record: null, listed: null, compared: { record_id: compared }, failures },
      })
      // That nobody knows it is not proved.
      const inRussian = { "accept-language": "ru" }
      expect(await admin.get(`${ADDRESS}/${randomUUID()}`, inRussian)).toMatchObject({
        status: 500,
        data: { message: expect.stringContaining(russian) },
      })
    }
  )

  it("finds amounts as pages write them, order numbers, e-mail addresses and ids, as its file does", async () => {
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
      ["₽1,990.50", [one]],
      ["1,990.50", [one]],
      ["1990.5", [one, other]],
      ["чай", [one]],
      [`#${order?.display_id}`, [ours]],
      [order?.email ?? "", [ours]],
      [row.session_id, [ours]],
      [row.cart_id ?? "", [ours]],
      [row.id.slice(0, 20), [ours]],
      // The beginnings of ids.
      [row.cart_id?.slice(0, -5) ?? "", [ours]],
      [one.id.slice(0, 8).toUpperCase(), [one]],
      ["nobody@shop.test", []],
      ["#999999", []],
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

  it("shows what a comparison saw of a payment that is not here, when neither service nor lists know its id", async () => {
    // Of more than ten unknown payments, one problem tells together; nobody asks for what is this old.
    for (const { id } of store.simulator.transactions()) {
      store.simulator.edit(id, { createdAt: 0 })
    }
    // A comparison has something to compare with only where the store has opened a payment.
    await new Shopper(store).checkout()
    const lost = store.simulator.addTransaction({
      amount: 4321.5,
      status: "CONFIRMED",
      payload: `pstx_01${"A".repeat(24)}`,
    })
    store.simulator.configure({ recordIds: "own" })
    await reconcileNow(store)
    const recordId = lost.externalId
    const compared = {
      record_id: recordId,
      amount: "4321.5",
      currency: "RUB",
      status: "CONFIRMED",
      seen_at: expect.any(String),
    }
    const shown = async () => await admin.get(`${ADDRESS}/${recordId}`)
    const { status, data } = await shown()
    expect({ status, data }).toMatchObject({
      status: 200,
      data: { record: null, listed: null, transaction_row_id: null, compared },
    })
    // A closed problem still tells.
    const { problem_id } = data.compared as { problem_id: string }
    const handled = await act(admin, { id: problem_id }, "handle", { note: "Theirs" })
    expect(handled.status).toBe(200)
    expect((await shown()).data).toMatchObject({ compared: { ...compared, problem_id } })
    // The list is newer, and says more.
    await ask(around())
    expect((await shown()).data).toMatchObject({
      listed: { record_id: recordId },
      compared: null,
    })
  })

  it("leads from a record with the reference of another merchant's payment to nothing", async () => {
    const { sessionId } = await new Shopper(store).checkout()
    const row = (await store.module.findBySession(sessionId))!
    await store.module.updateTransactions({ id: row.id, merchant_id: randomUUID() })
    const spoofed = add({ amount: 1, payload: row.id })
    expect((await list()).transactions).toMatchObject([
      { record_id: spoofed.id, transaction_row_id: null },
    ])
    // However the merchant's id is written.
    const merchant_id = store.simulator.merchantId.toUpperCase()
    await store.module.updateTransactions({ id: row.id, merchant_id })
    expect((await list({ time_zone: "Europe/Moscow" })).transactions).toMatchObject([
      { record_id: spoofed.id, transaction_row_id: row.id },
    ])
  })

  it("answers in the reader's language, and lists what can be read of a broken answer", async () => {
    const inRussian = { "accept-language": "ru" }
    const period = `from=${from.toISOString()}&to=${new Date(from.getTime() + DAY).toISOString()}`
    const id = randomUUID()
    for (const [address, status, code, message] of [
      [`?${period}&status=Оплачено`, 400, "no_such_code", "не числовой код"],
      [`/${id}`, 404, "unknown_transaction", `У платёжного сервиса нет транзакции ${id}.`],
      ["/nonsense", 404, "no_transaction_id", "nonsense — это не идентификатор транзакции."],
    ] as const) {
      const answer = await admin.get(`${ADDRESS}${encodeURI(address)}`, inRussian)
      expect(answer).toMatchObject({
        status,
        data: { code, message: expect.stringContaining(message) },
      })
    }
    add({ amount: 5 })
    const [readable] = (await list()).transactions
    store.simulator.fault({
      on: "export",
      kind: "body",
      body: [
        { recordId: readable?.record_id, amount: 5, currencyCode: "RUB", status: "EXPIRED" },
        { recordId: "no id" },
        "no record",
      ],
    })
    // Another zone is another question.
    expect(await list({ time_zone: "Europe/Moscow" })).toMatchObject({
      count: 1,
      warning: {
        code: "malformed",
        messages: { ru: "ответ сервиса не удаётся разобрать" },
        detail: expect.stringContaining("recordId"),
        unreadable: 2,
      },
    })
    // Nobody knows how many are missing from a list that broke off.
    for (const day of [2, 3, 4]) add({ amount: 5 }, day)
    store.simulator.fault({ on: "export", kind: "truncate" })
    expect(await list({ time_zone: "Asia/Omsk" })).toMatchObject({
      warning: { code: "malformed", unreadable: null },
    })
  })

  it("refuses a link to another host with a sentence, and sends nothing there", async () => {
    let connections = 0
    const elsewhere = createServer((socket) => {
      connections++
      socket.destroy()
    }).listen(0, "0.0.0.0")
    await once(elsewhere, "listening")
    const { port } = elsewhere.address() as AddressInfo
    const host = hostname().toLowerCase()
    try {
      // It can be reached by this name.
      await once(connect(port, host), "close")
      expect(connections).toBe(1)
      const unclear = "ответ сервиса не удаётся разобрать"
      const later = "Please try again in a minute."
      const at = `${host}:${port}`
      const notGiven = "neither its own host nor in the option export.linkHosts"
      const correct = "Please correct the options of the plugin."
      const notInSetting = `который не указан в настройке export.linkHosts: ${host}`
      for (const [link, reason, advice, inRussian] of [
        [`https://${at}/list.json`, notGiven, correct, notInSetting],
        [`http://${at}/list.json`, "a link that does not begin with https:", later, unclear],
        [`https://merchant:secret@${at}/`, "a link that is not a plain address", later, unclear],
      ] as const) {
        store.simulator.fault({ on: "export", kind: "body", body: link, times: 2 })
        const { status, data } = await ask()
        expect({ link, status, message: data.message }).toEqual({
          link,
          status: 500,
          message: expect.stringMatching(/^The payment service could not be asked: /),
        })
        expect(data.message).toContain(reason)
        expect(data.message).toContain(advice)
        const query = paramsOf({ to: new Date().toISOString() })
        const answer = await admin.get(`${ADDRESS}?${query}`, { "accept-language": "ru" })
        expect(answer.data.message).toContain(inRussian)
      }
      expect(connections).toBe(1)
    } finally {
      elsewhere.close()
    }
  })

  it("fetches again what is older than five minutes, and says so to who pages in the earlier answer", async () => {
    add({ amount: 1 })
    const { fetch } = await list()
    add({ amount: 2 })
    expect(await list({ fetch })).toMatchObject({ count: 1, fetch, fetched_anew: false })
    const real = store.module.clock
    store.module.clock = { now: () => new Date(real.now().getTime() + 5 * 60_000 + 1) }
    try {
      expect(await list({ fetch })).toMatchObject({ count: 2, fetched_anew: true })
      expect(await list()).toMatchObject({ count: 2, fetched_anew: false })
    } finally {
      store.module.clock = real
    }
  })

  it("says in words that the service is down, refuses us, or answers nonsense, and asks again after that", async () => {
    add({ amount: 1 })
    for (const [fault, words] of [
      [{ kind: "status", status: 503 }, "try again"],
      [{ kind: "status", status: 401 }, /401.*correct the options/],
      [{ kind: "status", status: 200, body: "<html>" }, "neither an array"],
    ] as const) {
      store.simulator.fault({ on: "export", times: Infinity, ...fault })
      const { status, data } = await ask()
      expect(status).toBe(500)
      expect(String(data.message)).toMatch(words)
      store.simulator.clearFaults()
    }
    expect((await list()).count).toBe(1)
  })

  describe("of many records", () => {
    let service: ExportingService
    beforeAll(async () => {
      service = await exportingService()
    })
    afterAll(() => service.close())
    withOptions(store, () => ({ baseUrl: service.url }))

    const answerWith = (count: number, way: "an array" | "a link") => {
      const createdAt = new Date(from.getTime() + DAY).toISOString()
      service.answer = async (response, { method }) => {
        if (way === "a link" && method === "POST") {
          response.end(JSON.stringify(`${service.url}/export.json`))
        } else {
          await sendRecords(response, count, { createdAt })
        }
      }
    }

    it.each(["an array", "a link"] as const)("as %s: page by page to the end", async (way) => {
      answerWith(50_000, way)
      const last = await list({ order: "amount", limit: "200", offset: "49900" })
      expect([last.count, last.transactions.length]).toEqual([50_000, 100])
      expect(last.transactions.at(-1)?.amount).toBe("49999.5")
      expect(last.totals).toMatchObject([{ count: 50_000, status: "CONFIRMED" }])
      const { begun } = service
      const found = await list({ q: "37777.5" })
      expect(found.transactions).toMatchObject([{ record_id: recordAt(37_777).recordId }])
      // Of the same question, the service is asked once.
      expect(service.begun).toBe(begun)
    })

    it("asks for a shorter period where there are more than can be kept", async () => {
      answerWith(50_001, "an array")
      expect(await ask()).toMatchObject({
        status: 400,
        data: { message: expect.stringContaining("Choose a shorter period") },
      })
    })

    it("are kept as long as there is room for them and for what comes", async () => {
      answerWith(25_001, "an array")
      await list({ time_zone: "UTC" })
      await list({ time_zone: "Asia/Omsk" })
      const { begun } = service
      await list({ time_zone: "Asia/Omsk", q: "1.5" })
      expect(service.begun).toBe(begun)
      await list({ time_zone: "UTC" })
      expect(service.begun).toBe(begun + 1)
    })

    it("keeps the beginning of a text of a megabyte, and not the rest", async () => {
      const description = "x".repeat(1024 * 1024)
      const many = process.env.DEEP ? 1_000 : 100
      service.answer = async (response) => {
        for (let index = 0; index < many; index++) {
          const record = JSON.stringify(recordAt(index, { description }))
          if (!response.write(`${index ? "," : "["}${record}`)) await once(response, "drain")
        }
        response.end("]")
      }
      const before = await memoryHeld()
      const { transactions, count } = await list()
      expect(count).toBe(many)
      expect(transactions[0]).toMatchObject({ description: `${"x".repeat(199)}…` })
      expect((await memoryHeld()) - before).toBeLessThan(20 * 1024 * 1024)
    })
  })
}
