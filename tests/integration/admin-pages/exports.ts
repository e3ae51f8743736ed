import type { Readable } from "node:stream"

import { parse } from "csv-parse/sync"

import { memoryHeld } from "../../memory-held"
import { addRows } from "../add-rows"
import { ADMIN, ADMIN_ID, ADMIN_NAME, adminOf } from "../admin"
import {
  type ExportingService,
  exportingService,
  recordAt,
  sendRecords,
  startOfUnusedYear,
} from "../exporting-service"
import { payUntilSettled, rowWithException, Shopper } from "../shopper"
import { eventually, type TestStore, withOptions } from "../store"

const ADDRESS = "/admin/payment-service/exports"
const DAY = 86_400_000
const FORMATS = ["csv", "xlsx", "json"] as const
type Format = (typeof FORMATS)[number]
type Query = Record<string, string | string[]>

interface Recorded {
  format: string
  outcome: string
  rows: number
}

const HEADER = {
  en: (
    "Order,Customer name,E-mail,Transaction,Created,Paid at,Time zone,Asked,Paid,Refunded,Currency," +
    "Commission (as the service states it),Commission in USDT,Sum in USDT,Method,Status,Description," +
    "Payload,Payment session,Cart,Customer,Difference to Medusa"
  ).split(","),
  ru: (
    "Заказ;Имя клиента;Эл. почта;Транзакция;Создана;Оплачена;Часовой пояс;К оплате;Оплачено;Возвращено;Валюта;" +
    "Комиссия (по данным сервиса);Комиссия в USDT;Сумма в USDT;Способ;Статус;Описание;" +
    "Референс;Платёжная сессия;Корзина;Клиент;Расхождение с Medusa"
  ).split(";"),
}
/** The cells of a line, or of some columns, by the columns' English names. */
const named = (line: readonly unknown[] | undefined, columns = HEADER.en) =>
  Object.fromEntries(columns.map((column) => [column, line?.[HEADER.en.indexOf(column)]]))
/** Places of columns. */
const [ASKED, STATUS, DIFFERENCE] = ["Asked", "Status", "Difference to Medusa"].map((column) =>
  HEADER.en.indexOf(column)
) as [number, number, number]

export function exportsForAdmins(store: TestStore): void {
  const admin = adminOf(store)
  let token: string
  let from: Date
  beforeAll(async () => {
    const { data } = await store.http.post<{ token: string }>("/auth/user/emailpass", ADMIN)
    token = data.token
  })
  beforeEach(() => {
    from = startOfUnusedYear()
  })

  const ofService = (query: Query = {}): Query => ({
    source: "service",
    from: from.toISOString(),
    to: new Date(from.getTime() + 300 * DAY).toISOString(),
    ...query,
  })
  const addressOf = (format: string, query: Query) => {
    const params = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (Array.isArray(value)) for (const one of value) params.append(`${name}[]`, one)
      else params.set(name, value)
    }
    return `${ADDRESS}/transactions.${format}?${params.toString()}`
  }
  /** Whether the last file that was asked for has begun to arrive. */
  let hasBegun = false
  const begin = async (format: Format, query: Query, signal?: AbortSignal) => {
    hasBegun = false
    const answer = await store.http.get<Readable>(addressOf(format, query), {
      headers: { authorization: `Bearer ${token}` },
      responseType: "stream",
      ...(signal ? { signal } : {}),
    })
    hasBegun = true
    return answer
  }
  const download = async (format: Format, query: Query) => {
    const { status, headers, data } = await begin(format, query)
    const parts: Buffer[] = []
    for await (const part of data) parts.push(part as Buffer)
    const bytes = Buffer.concat(parts)
    if (status !== 200) throw new Error(`${status}: ${bytes.toString()}`)
    return { headers, bytes, text: bytes.toString() }
  }
  const csv = async (query: Query) => {
    const { text } = await download("csv", query)
    expect(text[0]).toBe("\ufeff")
    return parse(text, {
      bom: true,
      record_delimiter: "\r\n",
      delimiter: query.locale === "ru" ? ";" : ",",
    })
  }
  const xlsx = async (query: Query) => {
    const { bytes } = await download("xlsx", query)
    // Another reader than the library that wrote it.
    const { default: readWorkbook } = await import("read-excel-file/node")
    const [sheet] = await readWorkbook(bytes)
    return sheet?.data ?? []
  }
  const json = async (query: Query) =>
    JSON.parse((await download("json", query)).text) as Record<string, unknown>[]
  /** All exports, the latest first. */
  const recorded = async () =>
    (await admin.get(ADDRESS)).data as unknown as { exports: Recorded[]; count: number }
  const add = (record: Parameters<typeof store.simulator.addTransaction>[0], day = 1) =>
    store.simulator.addTransaction({ createdAt: from.getTime() + day * DAY, ...record })

  describe("of this store", () => {
    const opened = (iso: string) => ({ opened_at: new Date(iso) })

    it("has what the filters leave, newest first, in each format", async () => {
      const payment = await new Shopper(store).checkout()
      const row = await payUntilSettled(store, payment)
      const [less] = await addRows(store, [
        {
          ...opened("2020-07-01T21:30:15Z"),
          state: "paid",
          paid_at: new Date("2020-07-01T21:31:15Z"),
          exception: "amount_less",
          exception_reasons: [
            {
              what: "amount",
              read: { amount: "900", currency: "RUB" },
              asked: { amount: "1000", currency: "RUB" },
            },
          ],
          read_amount: "900.5",
          read_currency: "RUB",
          customer_id: "=cus_1",
        },
        { ...opened("2020-07-01T20:00:00Z"), state: "expired", method: "crypto" },
      ])
      const back = { kind: "outside", amount: "500.50", currency: "RUB" } as const
      await store.module.ledger.add({ ...back, transaction_row_id: less!.id })
      const [header, first, ...rest] = await csv({ time_zone: "Europe/Moscow" })
      expect(header).toEqual(HEADER.en)
      expect(rest).toHaveLength(2)
      const seen = store.simulator.transactions().find(({ id }) => id === row.transaction_id)!
      const { commission, commission_usdt, amount_usdt } = row.figures!
      expect(named(first)).toEqual({
        Order: expect.stringMatching(/^\d+$/),
        "Customer name": "",
        "E-mail": "guest@shopper.test",
        Transaction: row.transaction_id,
        Created: expect.stringMatching(/^\d{4}-/),
        "Paid at": expect.stringMatching(/^\d{4}-/),
        "Time zone": "Europe/Moscow",
        Asked: row.amount.replace(/\.?0+$/, ""),
        Paid: row.amount.replace(/\.?0+$/, ""),
        Refunded: "",
        Currency: "RUB",
        "Commission (as the service states it)": commission,
        "Commission in USDT": commission_usdt,
        "Sum in USDT": amount_usdt,
        Method: "SBP",
        Status: "Paid",
        Description: seen.description,
        Payload: row.id,
        "Payment session": row.session_id,
        Cart: row.cart_id,
        Customer: row.customer_id,
        "Difference to Medusa": "",
      })
      const empty = Object.fromEntries(HEADER.en.map((column) => [column, ""]))
      expect(named(rest[0])).toEqual({
        ...empty,
        Transaction: less?.transaction_id,
        Created: "2020-07-02 00:30:15",
        "Paid at": "2020-07-02 00:31:15",
        "Time zone": "Europe/Moscow",
        // A payment of 900.50 never looks like one of 1,000.
        Asked: "1000",
        Paid: "900.5",
        Refunded: "500.5",
        Currency: "RUB",
        Method: "SBP",
        Status: "Needs attention",
        Description: less?.description,
        Payload: less?.id,
        "Payment session": less?.session_id,
        Customer: "'=cus_1",
        "Difference to Medusa": "amount ₽900.00, asked for ₽1,000.00",
      })

      const paid = { state: "paid", to: "2021-01-01T00:00:00Z" }
      const russian = await csv({ ...paid, locale: "ru" })
      expect(russian[0]).toEqual(HEADER.ru)
      expect(russian).toHaveLength(2)
      expect(russian[1]?.[ASKED + 1]).toBe("900,5")
      expect(russian[1]?.[STATUS]).toBe("Требует внимания")
      expect(russian[1]?.[DIFFERENCE]).toBe(
        "сумма 900,00 ₽, запрошено 1\u00a0000,00 ₽".replace(/ ₽/g, "\u00a0₽")
      )

      const table = await xlsx({ ...paid, locale: "ru", time_zone: "Europe/Moscow" })
      expect(table[0]).toEqual(HEADER.ru)
      // Excel counts days, of which a second is no exact part.
      const created = Number(named(table[1])["Created"])
      expect(Math.round(created / 1000)).toBe(Date.UTC(2020, 6, 2, 0, 30, 15) / 1000)
      expect(named(table[1], ["Paid", "Customer"])).toEqual({ Paid: 900.5, Customer: "=cus_1" })
      expect(table[2]?.slice(0, 2)).toEqual(["Оплачено", "1 транзакция"])
      const sums = { Asked: 1000, Paid: 900.5, Refunded: 500.5, Currency: "RUB" }
      expect(named(table[2], Object.keys(sums))).toEqual(sums)
      expect(table).toHaveLength(3)

      const listed = await admin.get("/admin/payment-service/transactions")
      const none = { usdt_rate: null, amount_usdt: null, commission: null, commission_usdt: null }
      expect(await json({})).toEqual(
        (listed.data.transactions as { id: string }[]).map((one) => ({
          ...one,
          ...none,
          ...(one.id === row.id ? row.figures : {}),
        }))
      )
      expect(await json({ q: String(less?.transaction_id) })).toMatchObject([{ id: less?.id }])
      expect(await json({ method: "crypto" })).toHaveLength(1)
      // The dates of a month: of what was paid from its beginning until before its end.
      const paidAt = "2020-07-01T21:31:15Z"
      const first_of = { june: "2020-06-01T00:00:00Z", august: "2020-08-01T00:00:00Z" }
      expect(await json({ paid_from: paidAt, paid_to: first_of.august })).toMatchObject([
        { id: less?.id },
      ])
      expect(await json({ paid_from: first_of.june, paid_to: paidAt })).toEqual([])
    })

    it("reads every row once, also when many were opened at the same moment", async () => {
      const rows = await addRows(
        store,
        Array.from({ length: 1_203 }, () => opened("2020-07-01T21:30:15Z"))
      )
      // Of the same millisecond, not of the same microsecond.
      await store.module["run"]({
        sql: `update payment_service_transaction set opened_at = opened_at + (right(id, 1) < 'K')::int * interval '7 microseconds'`,
        values: [],
      } as never)
      const listed = (await json({})).map(({ id }) => id)
      expect(new Set(listed)).toEqual(new Set(rows.map(({ id }) => id)))
      expect(listed).toHaveLength(rows.length)
    })
  })

  it("adds up what the service's own records say was paid, whichever list it is of", async () => {
    const shopper = new Shopper(store)
    await payUntilSettled(store, await shopper.checkout())
    const less = await shopper.checkout()
    await store.simulator.pay(less.data.transaction_id, { amount: 1_001.5 })
    await rowWithException(store, less)
    await shopper.checkout()
    const ours = (await json({})).map(({ transaction_id }) => transaction_id)
    const there = store.simulator.transactions().filter(({ id }) => ours.includes(id))
    const paid = there.filter(({ status }) => status === "CONFIRMED")
    expect([there.length, paid.length]).toEqual([3, 2])
    const sum = paid.reduce((total, { amount }) => total + amount, 0)
    const begun = Math.min(...there.map(({ createdAt }) => createdAt))
    const today = {
      from: new Date(begun - DAY).toISOString(),
      to: new Date(begun + DAY).toISOString(),
      known: "true",
    }
    for (const query of [{}, ofService(today)]) {
      const totals = (await xlsx(query)).slice(4).map((line) => named(line))
      expect(totals).toMatchObject([
        { Order: "Paid", "Customer name": "2 transactions", Paid: sum, Currency: "RUB" },
        { Order: "Not paid", "Customer name": "1 transaction", Paid: null, Currency: "RUB" },
      ])
    }
  })

  describe("of the service", () => {
    it("has the service's records with what the store knows of them, from array and link", async () => {
      const foreign = add({
        amount: 77.25,
        status: "CONFIRMED",
        description: "=1+1",
        payload: "@x",
      })
      add({ amount: 5, status: "CANCELED", description: '+7, "quoted"\nline', payload: "-5" }, 2)
      const [row] = await addRows(store, [
        {
          state: "paid",
          status: "CONFIRMED",
          read_amount: "100",
          read_currency: "RUB",
          paid_at: new Date(),
          settled_at: new Date(),
          order_id: "order_nowhere",
          cart_id: "cart_1",
          customer_id: "cus_1",
          transaction_id: add({ amount: 150, status: "CONFIRMED" }, 3).id,
        },
      ])
      for (const exportAs of ["array", "link"] as const) {
        store.simulator.configure({ exportAs })
        const lines = await csv(ofService())
        expect(lines[0]).toEqual(HEADER.en)
        expect(lines).toHaveLength(4)
        const empty = Object.fromEntries(HEADER.en.map((column) => [column, ""]))
        expect(named(lines[1])).toEqual({
          ...empty,
          Transaction: foreign.id,
          Created: `${from.toISOString().slice(0, 4)}-01-02 00:00:00`,
          "Time zone": "UTC",
          Asked: "77.25",
          Paid: "77.25",
          Currency: "RUB",
          Method: "SBPQR",
          Status: "CONFIRMED",
          Description: "'=1+1",
          Payload: "'@x",
          "Difference to Medusa": "paid, and unknown to this store",
        })
        const canceled = {
          Asked: "5",
          Paid: "",
          Status: "CANCELED",
          Description: `'+7, "quoted"\nline`,
          Payload: "'-5",
        }
        expect(named(lines[2], Object.keys(canceled))).toEqual(canceled)
        const known = {
          Paid: "150",
          Cart: "cart_1",
          Customer: "cus_1",
          "Payment session": row?.session_id,
          "Difference to Medusa": "another sum in this store: ₽100.00",
        }
        expect(named(lines[3], Object.keys(known))).toEqual(known)
        const table = await xlsx(ofService({ locale: "ru" }))
        const cells = {
          Transaction: foreign.id,
          Created: new Date(from.getTime() + DAY),
          Paid: 77.25,
          Description: "=1+1",
          Payload: "@x",
        }
        expect(named(table[1], Object.keys(cells))).toEqual(cells)
        expect(table[3]?.[DIFFERENCE]).toBe("в магазине другая сумма: 100,00\u00a0₽")
        const columns = ["Order", "Customer name", "Asked", "Paid", "Refunded", "Currency"]
        expect(table.slice(4).map((line) => Object.values(named(line, columns)))).toEqual([
          ["Оплачено", "2 транзакции", 227.25, 227.25, 0, "RUB"],
          ["Не оплачено", "1 транзакция", 5, null, null, "RUB"],
        ])
      }
      store.simulator.configure({ exportAs: "array" })
      // Local filters are those of the list.
      expect(await json(ofService({ q: "=1" }))).toMatchObject([{ recordId: foreign.id }])
      expect(await csv(ofService({ known: "true" }))).toHaveLength(2)
    })

    it("answers in words when the service is down, or leads elsewhere", async () => {
      for (const [fault, words] of [
        [{ kind: "status", status: 503 }, "try again"],
        [{ kind: "body", body: "https://files.elsewhere.test/1.json" }, "export.linkHosts"],
      ] as const) {
        store.simulator.fault({ on: "export", times: Infinity, ...fault })
        const { status, data } = await admin.get(addressOf("csv", ofService()))
        expect([status, data.message]).toEqual([500, expect.stringContaining(words)])
        store.simulator.clearFaults()
      }
      expect((await recorded()).exports).toMatchObject(
        [1, 2].map(() => ({ outcome: "failed", rows: 0 }))
      )
    })
  })

  describe("of a service that takes its time", () => {
    let service: ExportingService
    beforeAll(async () => {
      service = await exportingService()
    })
    afterAll(() => service.close())
    withOptions(store, () => ({ baseUrl: service.url }))

    it("has all that the service sent, field by field", async () => {
      const sent =
        ' [ {"recordId":"00000000-0000-4000-8000-000000000001", "createdAt": "yesterday",\n "amount": -12.50, "currencyCode":"RUB","status":"CONFIRMED","paymentMethod":"SBPQR","description":"a ]}\\" \\u044f","payload":null,"own":[{"x":1}]} ,{"recordId":7}] \n'
      service.answer = (response) => {
        // In pieces that end anywhere.
        for (let at = 0; at < sent.length; at += 7) response.write(sent.slice(at, at + 7))
        response.end()
      }
      const records = JSON.parse(sent) as object[]
      expect(await json(ofService())).toEqual(records)
      expect((await recorded()).exports[0]).toMatchObject({ outcome: "complete", rows: 2 })
    })

    it("has a line for a record that cannot be read, which says so", async () => {
      const [row] = await addRows(store, [{ state: "expired", base_url: service.url }])
      const { transaction_id: recordId, session_id } = row!
      const records = [
        recordAt(1),
        { ...recordAt(2), recordId, amount: "12.50" },
        { ...recordAt(3), recordId: "no, id", status: null, description: "чай" },
        recordAt(4),
        "nothing",
      ]
      service.answer = (response) => void response.end(JSON.stringify(records))
      const [, ...lines] = await csv(ofService({ locale: "ru" }))
      const cells = ["Transaction", "Asked", "Currency", "Status", "Payment session"]
      cells.push("Difference to Medusa")
      expect(lines.map((line) => Object.values(named(line, cells)))).toEqual([
        [recordAt(1).recordId, "1,5", "RUB", "CONFIRMED", "", "оплачена, магазину неизвестна"],
        [recordId, "", "RUB", "CONFIRMED", session_id, "запись прочитана не полностью: amount"],
        ["no, id", "3,5", "RUB", "", "", "запись прочитана не полностью: recordId"],
        [recordAt(4).recordId, "4,5", "RUB", "CONFIRMED", "", "оплачена, магазину неизвестна"],
        ["", "", "", "", "", "запись прочитать не удалось"],
      ])
      const complete = { outcome: "complete", rows: 5 }
      expect((await recorded()).exports[0]).toMatchObject({ format: "csv", ...complete })

      const [, ...table] = await xlsx(ofService())
      const columns = ["Order", "Customer name", "Asked", "Paid", "Currency"]
      expect(table.slice(5).map((line) => Object.values(named(line, columns)))).toEqual([
        ["Paid", "3 transactions", 6, 6, "RUB"],
        ["Not paid", "1 transaction", 3.5, null, "RUB"],
        ["Not paid", "1 transaction", null, null, null],
      ])
      // The list's filters find it by what can be read.
      expect(await json(ofService({ q: "ЧАЙ" }))).toEqual([records[2]])
    })

    it("breaks off where the service does, so that no part looks like the whole", async () => {
      const ways: Record<string, ExportingService["answer"]> = {
        "the connection ends": async (response) => {
          response.write(`[${JSON.stringify(recordAt(1))}`)
          for (let index = 2; index < 3_000; index++) {
            response.write(`,${JSON.stringify(recordAt(index))}`)
          }
          // Before that, the admin would be told so instead.
          await eventually("the file begins", () => Promise.resolve(hasBegun))
          response.destroy()
        },
        "the list ends half-way": (response) => {
          const records = Array.from({ length: 3_000 }, (_, index) => recordAt(index))
          response.end(JSON.stringify(records).slice(0, -20))
        },
      }
      for (const [way, answer] of Object.entries(ways)) {
        for (const format of FORMATS) {
          service.answer = answer
          const before = (await recorded()).count
          await expect(download(format, ofService())).rejects.toThrow(/aborted|hang up|closed/)
          // The store records it right after it has broken the connection.
          await eventually("it is recorded", async () => (await recorded()).count > before)
          const { exports, count } = await recorded()
          expect({ way, count }).toEqual({ way, count: before + 1 })
          // Two that end in the same moment may stand in any order.
          const [own] = exports.filter((one) => one.format === format)
          expect({ way, ...own }).toMatchObject({ way, format, outcome: "failed" })
        }
      }
    })

    it("ends the service's download when the admin cancels", async () => {
      // It goes on for as long as somebody takes it.
      service.answer = (response) => sendRecords(response, 100_000_000)
      for (const format of FORMATS) {
        const { begun, brokenOff } = service
        const cancel = new AbortController()
        const { status, data } = await begin(format, ofService(), cancel.signal)
        expect(status).toBe(200)
        data.on("error", () => undefined)
        data.once("data", () => cancel.abort())
        await eventually("the download has ended", async () => service.brokenOff > brokenOff)
        expect(service.begun).toBe(begun + 1)
        await eventually("it is recorded", async () => {
          const [last] = (await recorded()).exports
          return last?.format === format && last.outcome === "canceled"
        })
      }
    })

    it("holds a long list in bounded memory, and waits for an admin who reads slowly (promise 20)", async () => {
      const live = async () => (await memoryHeld()) / 2 ** 20
      const before = await live()
      const description = "Tea and cups ".repeat(400)
      for (const format of FORMATS) {
        let sent = 0
        service.answer = async (response) => {
          const write = response.write.bind(response) as (text: string) => boolean
          response.write = (text: string) => {
            sent += text.length
            return write(text)
          }
          await sendRecords(response, 10_000, { description })
        }
        const { data } = await begin(format, ofService())
        await new Promise((resolve) => setTimeout(resolve, 1_500))
        // Nobody has read yet: what is under way is in buffers, some of them the system's, of which none holds the list.
        const unread = sent
        let most = await live()
        let looked = sent
        for await (const _part of data) {
          if (sent < looked + 30_000_000) continue
          looked = sent
          most = Math.max(most, await live())
        }
        expect(sent).toBeGreaterThan(50_000_000)
        expect(unread).toBeLessThan(sent * 0.75)
        expect(most - before).toBeLessThan(40)
        expect((await recorded()).exports[0]).toMatchObject({ outcome: "complete", rows: 10_000 })
      }
    })
  })

  it("names files for what they are, in the reader's language, and records who took which period, not what was searched for (promise 22)", async () => {
    const period = { from: "2020-01-01T00:00:00Z", to: "2020-02-01T00:00:00Z" }
    const english = await download("csv", { ...period, state: "paid", q: "anna@example.com" })
    const name = "transactions_store_2020-01-01_2020-01-31.csv"
    expect(english.headers["content-disposition"]).toBe(
      `attachment; filename="${name}"; filename*=UTF-8''${name}`
    )
    expect(english.headers["cache-control"]).toBe("no-store")
    expect(english.headers["content-type"]).toBe("text/csv; charset=utf-8")
    const russian = await download("json", ofService({ locale: "ru", known: "false" }))
    const [plain, written = ""] = String(russian.headers["content-disposition"]).split("UTF-8''")
    expect(plain).toMatch(
      /^attachment; filename="transactions_service_\d{4}-01-01_\d{4}-10-2\d\.json"; /
    )
    expect(decodeURIComponent(written)).toMatch(
      /^транзакции_сервис_\d{4}-01-01_\d{4}-10-2\d\.json$/
    )
    const whose = { by: ADMIN_ID, by_name: ADMIN_NAME, rows: 0, outcome: "complete" }
    const [iso, end] = [from.toISOString(), new Date(from.getTime() + 300 * DAY).toISOString()]
    const taken = (await recorded()).exports
    expect(taken).toMatchObject([
      { ...whose, source: "service", format: "json", from: iso, to: end },
      { ...whose, source: "store", format: "csv", from: "2020-01-01T00:00:00.000Z" },
    ])
    expect(JSON.stringify(taken)).not.toContain("anna")
  })

  it("sends no end of a file that could not be recorded", async () => {
    const creating = jest.spyOn(store.module, "createExportRecords").mockRejectedValue(new Error())
    for (const format of FORMATS) await expect(download(format, {})).rejects.toThrow(/aborted/)
    creating.mockRestore()
  })
}
