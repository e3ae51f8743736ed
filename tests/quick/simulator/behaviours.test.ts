import { help } from "../../../simulator/help"
import { AREAS, BEHAVIOURS, type Behaviour, type BehaviourId } from "../../../simulator/behaviours"
import { Transactions } from "../../../simulator/transactions"
import { settingsFrom } from "../../../simulator/options"
import {
  call,
  closeAll,
  created,
  creation,
  eventually,
  receiver,
  running,
  type Json,
} from "./running-simulator"
import { signedCall } from "./signed-call"

afterEach(closeAll)

const behaviours: readonly Behaviour[] = BEHAVIOURS
const CREATE = "/transaction/process"
const EXPORT = "/transaction/export/json"
const CARDS = "/api/v1/cards"
const PAYOUT = "/api/v1/payouts/card-rub"
const MERCHANT = "5f0c9d1e-7a34-4b52-9d8e-2c6b1a7f4e10"
const UNKNOWN = "5f0c9d1e-7a34-4b52-9d8e-2c6b1a7f4e10"
const payout = {
  cardNumber: "2200000000001111",
  amountRub: 1000,
  payoutMethod: "CARD",
  currencyRequested: "RUB",
}
const range = {
  statuses: [] as string[],
  paymentMethods: [] as string[],
  from: "2000-01-01T00:00:00Z",
  to: "2100-01-01T00:00:00Z",
  timeZoneId: "UTC",
}
const STATUS_CODES = { PENDING: 1, CONFIRMED: 2, CANCELED: 3, EXPIRED: 4, CHARGEBACKED: 5 }

type Running = Awaited<ReturnType<typeof running>>

const read = async (simulator: Running, id: string) =>
  (await call(simulator, "GET", `/transaction/${id}`)).body
const statusOf = async (simulator: Running, changes: Json) =>
  (await call(simulator, "POST", CREATE, { body: { ...creation, ...changes } })).status
const exported = async (simulator: Running, changes: Json = {}) => {
  const { text } = await call(simulator, "POST", EXPORT, { body: { ...range, ...changes } })
  return JSON.parse(text) as Json[]
}
const subscriptions = async (simulator: Running, query = "") => {
  const { status, body } = await call(simulator, "GET", `/subscription${query}`)
  return { status, body, items: (body.items ?? []) as Json[] }
}

/** Shows that the simulator does each thing that its list says of it. */
const shows: Record<BehaviourId, (simulator: Running) => Promise<void>> = {
  async creation(simulator) {
    const { metadata: _, ...fields } = { ...creation, metadata: {} }
    for (const field of Object.keys(fields)) {
      expect(await statusOf(simulator, { [field]: undefined })).toBe(400)
    }
    expect(await statusOf(simulator, { id: UNKNOWN })).toBe(400)
    expect(await read(simulator, await created(simulator))).toMatchObject({ status: "PENDING" })
  },
  // As the table of the specification has it, misspelt names included.
  async details() {
    const simulator = await running({ publicUrl: "https://pay.example/" })
    const { externalId, ...details } = await read(simulator, await created(simulator))
    const page = `https://pay.example/pay/${String(details.id)}`
    expect(externalId).toMatch(/^[0-9a-f-]{36}$/)
    expect(details).toEqual({
      id: details.id,
      status: "PENDING",
      paymentDetails: { amount: 1199.99, currency: "RUB" },
      merchantName: "Demo Shop",
      mechantId: simulator.merchantId,
      comission: 36,
      paymentMethod: "SBPQR",
      expiresIn: expect.stringMatching(/^00:1[45]:\d\d$/),
      return: "https://shop.example/ok",
      comissionUsdt: 0.389189,
      amountUsdt: 12.972865,
      qr: page,
      payformSuccessUrl: "https://shop.example/ok",
      payload: "ref_1",
      comissionType: 1,
      description: "Order 18",
    })
    expect((await call(simulator, "GET", `/transaction/${UNKNOWN}`)).status).toBe(404)
  },
  async merchant_key(simulator) {
    expect((await call(simulator, "POST", CREATE, { body: creation, key: false })).status).toBe(401)
    expect((await signedCall(simulator, "GET", CARDS)).status).toBe(200)
  },
  async payer_return(simulator) {
    const ends = [
      ["pay", creation.return],
      ["decline", creation.failedUrl],
    ] as const
    for (const [action, address] of ends) {
      const { headers } = await call(
        simulator,
        "POST",
        `/pay/${await created(simulator)}/${action}`
      )
      expect(headers.get("location")).toBe(address)
    }
  },
  async methods(simulator) {
    const id = await created(simulator, { paymentMethod: 13 })
    expect(await read(simulator, id)).toMatchObject({ paymentMethod: "CRYPTO" })
    expect(await statusOf(simulator, { paymentMethod: 3 })).toBe(400)
  },
  async currencies(simulator) {
    const other = { paymentDetails: { amount: 1, currency: "USD" } }
    expect(await statusOf(simulator, other)).toBe(400)
    simulator.configure({ currencies: ["USD"] })
    expect(await statusOf(simulator, other)).toBe(200)
  },
  async amounts(simulator) {
    for (const [amount, status] of [
      [0, 400],
      [0.001, 400],
      [0.01, 200],
    ]) {
      expect(await statusOf(simulator, { paymentDetails: { amount, currency: "RUB" } })).toBe(
        status
      )
    }
  },
  async strict_fields(simulator) {
    expect(await statusOf(simulator, { anything: 1 })).toBe(400)
    expect(await statusOf(simulator, { return: "ftp://shop.example" })).toBe(400)
    expect(await statusOf(simulator, { metadata: { clientIp: "1.2.3" } })).toBe(400)
  },
  async user_id(simulator) {
    expect(await statusOf(simulator, {})).toBe(200)
    simulator.configure({ requireUserId: true })
    expect(await statusOf(simulator, {})).toBe(400)
  },
  async repeated_creation(simulator) {
    expect(await created(simulator)).not.toBe(await created(simulator))
  },
  async status_names(simulator) {
    const id = await created(simulator)
    const steps = ["reverse", "expire", "pay", "decline", "pay"] as const
    const seen: unknown[] = []
    for (const step of steps) {
      await simulator[step](id)
      seen.push((await read(simulator, id)).status)
    }
    expect(seen).toEqual(["CHARGEBACKED", "EXPIRED", "CONFIRMED", "CANCELED", "CONFIRMED"])
  },
  async expiry() {
    const simulator = await running({ now: () => 0 })
    const id = await created(simulator)
    expect(await read(simulator, id)).toMatchObject({ status: "PENDING", expiresIn: "00:15:00" })
    simulator.advance(900_000)
    expect(await read(simulator, id)).toMatchObject({ status: "EXPIRED", expiresIn: "00:00:00" })
    simulator.configure({ autoExpire: false })
    const other = await created(simulator)
    simulator.advance(900_000)
    expect(await read(simulator, other)).toMatchObject({ status: "PENDING" })
  },
  async paid_amount(simulator) {
    const id = await created(simulator)
    await simulator.pay(id, { amount: 1, currency: "KZT" })
    expect((await read(simulator, id)).paymentDetails).toEqual({ amount: 1, currency: "KZT" })
  },
  async payer_page(simulator) {
    const { redirect } = simulator.transaction(await created(simulator))
    const page = await (await fetch(redirect)).text()
    for (const button of ["pay", "decline", "expire"]) expect(page).toContain(`id="${button}"`)
    const reply = await fetch(`${redirect}/expire`, { method: "POST", redirect: "manual" })
    expect(reply.headers.get("location")).toBe(creation.failedUrl)
  },
  async qr(simulator) {
    const { qr, redirect } = simulator.transaction(await created(simulator))
    expect(qr).toBe(redirect)
    simulator.configure({ qr: "text" })
    expect((await read(simulator, await created(simulator))).qr).toMatch(/^ST00012/)
  },
  async fillers(simulator) {
    const { body } = await call(simulator, "POST", CREATE, { body: creation })
    expect(body.paymentDetails).toBe("1199.99 RUB")
  },
  async rates(simulator) {
    const { body } = await call(simulator, "POST", CREATE, { body: creation })
    expect(body.usdtRate).toBe(92.5)
  },
  async export_records() {
    const simulator = await running({ now: () => 0 })
    const id = await created(simulator)
    const records = await exported(simulator, { from: "1970-01-01T00:00:00Z" })
    const { payload, description } = creation
    const [amount, currencyCode] = [creation.paymentDetails.amount, "RUB"]
    expect(records).toEqual([
      {
        recordId: id,
        createdAt: "1970-01-01 00:00:00",
        amount,
        currencyCode,
        status: "PENDING",
        paymentMethod: "SBPQR",
        description,
        payload,
      },
    ])
    simulator.configure({ exportAs: "link" })
    expect((await call(simulator, "POST", EXPORT, { body: range })).text).toMatch(/^http/)
  },
  async export_codes(simulator) {
    const id = await created(simulator)
    for (const [status, code] of Object.entries(STATUS_CODES)) {
      await simulator.setStatus(id, status)
      expect(await exported(simulator, { statuses: [String(code)] })).toMatchObject([{ status }])
    }
    for (const unknown of [{ statuses: ["6"] }, { paymentMethods: ["3"] }]) {
      const body = { ...range, ...unknown }
      expect((await call(simulator, "POST", EXPORT, { body })).status).toBe(400)
    }
  },
  async export_filters() {
    const simulator = await running({ now: () => Date.UTC(2025, 0, 1) })
    await simulator.pay(await created(simulator))
    await created(simulator, { paymentMethod: 13 })
    const moment = "2025-01-01T00:00:00.000Z"
    expect(await exported(simulator, { from: moment, to: moment })).toHaveLength(2)
    expect(await exported(simulator, { from: "2025-01-01T00:00:00.001Z" })).toEqual([])
  },
  async export_order() {
    const simulator = await running({ now: () => Date.UTC(2025, 0, 1, 12) })
    const ids = [await created(simulator), await created(simulator), await created(simulator)]
    const records = await exported(simulator, { timeZoneId: "Asia/Kolkata" })
    expect(records.map(({ recordId }) => recordId)).toEqual(ids)
    expect(records[0]?.createdAt).toBe("2025-01-01 17:30:00")
  },
  async export_accept(simulator) {
    const headers = { accept: "application/json" }
    expect((await call(simulator, "POST", EXPORT, { body: range, headers })).status).toBe(406)
  },
  async export_file() {
    const simulator = await running({ exportAs: "link" })
    const { text } = await call(simulator, "POST", EXPORT, { body: range })
    expect([(await fetch(text)).status, (await fetch(text)).status]).toEqual([200, 404])
    const links: string[] = []
    for (let times = 0; times < 21; times++) {
      links.push((await call(simulator, "POST", EXPORT, { body: range })).text)
    }
    expect((await fetch(links[0] ?? "")).status).toBe(404)
    expect((await fetch(links[1] ?? "")).status).toBe(200)
  },
  async record_ids(simulator) {
    const { externalId, id } = simulator.transaction(await created(simulator))
    expect(await exported(simulator)).toMatchObject([{ recordId: id }])
    simulator.configure({ recordIds: "own" })
    expect(await exported(simulator)).toMatchObject([{ recordId: externalId }])
  },
  async subscription_list() {
    const { body, items } = await subscriptions(await running())
    expect(body).toMatchObject({ total: 6, page: 1, size: 20 })
    expect(items[0]).toMatchObject({ status: 1, intervalUnit: 3, customerEmail: null })
  },
  async subscription_details(simulator) {
    const [first] = simulator.subscriptions()
    const { body } = await call(simulator, "GET", `/subscription/${first?.id}`)
    expect(body).toMatchObject({ status: "Active", intervalUnit: "Month" })
    expect((await call(simulator, "GET", `/subscription/${UNKNOWN}`)).status).toBe(404)
  },
  async subscription_codes(simulator) {
    const [first] = simulator.subscriptions()
    const id = first?.id ?? ""
    for (const [index, status] of ["Active", "Paused", "PastDue", "Canceled"].entries()) {
      simulator.editSubscription(id, { status })
      const { items } = await subscriptions(simulator, `?status=${index + 1}`)
      expect(items.map((item) => item.id)).toContain(id)
    }
    for (const [index, intervalUnit] of ["Day", "Week", "Month", "Year"].entries()) {
      simulator.editSubscription(id, { intervalUnit })
      const { items } = await subscriptions(simulator)
      expect(items.find((item) => item.id === id)?.intervalUnit).toBe(index + 1)
    }
  },
  async subscription_pages(simulator) {
    for (const query of ["?page=0", "?size=101", "?size=0", "?limit=1"]) {
      expect((await subscriptions(simulator, query)).status).toBe(400)
    }
    expect(await subscriptions(simulator, "?page=2&size=100")).toMatchObject({
      status: 200,
      items: [],
    })
    expect((await subscriptions(simulator)).body).toMatchObject({ page: 1, size: 20 })
  },
  async subscription_filters() {
    const simulator = await running({ now: () => Date.UTC(2025, 5, 1) })
    const { items } = await subscriptions(simulator, "?from=2025-03-03T00%3A00%3A00Z")
    const times = items.map(({ createdAt }) => String(createdAt))
    expect(times).toEqual([...times].sort().reverse())
    expect(times.at(-1)).toMatch(/^2025-03-03T00:00:00/)
  },
  async subscription_nulls(simulator) {
    const id = simulator.subscriptions().at(-1)?.id
    const { text } = await call(simulator, "GET", `/subscription/${id}`)
    expect(text).not.toMatch(/null|customerEmail|ChargeAt/)
  },
  async subscription_metrics(simulator) {
    const one = simulator.subscriptions().find(({ chargesFailed }) => chargesFailed > 0)
    const { body } = await call(simulator, "GET", `/subscription/${one?.id}`)
    expect(body.chargeMetrics).toMatchObject({
      chargesTotal: 3,
      chargesFailed: 2,
      totalAmount: 990,
    })
    const { items } = await subscriptions(simulator)
    expect(items.find(({ id }) => id === one?.id)?.chargesCount).toBe(3)
  },
  async subscription_seeds(simulator) {
    const before = simulator.subscriptions()
    expect(before).toHaveLength(6)
    simulator.advance(365 * 24 * 3_600_000)
    expect(simulator.subscriptions()).toEqual(before)
  },
  // Signed by openssl, not by the code that the client shares with these tests.
  async signature() {
    const seconds = 1_700_000_000
    const simulator = await running({ now: () => seconds * 1_000, merchantId: MERCHANT })
    const sent = (method: string, path: string, sig: string, body?: string, key = "key-1") =>
      call(simulator, method, path, {
        key: false,
        body,
        headers: {
          Authorization: `SVC-HMAC kid=${MERCHANT}, ts=${seconds}, sig=${sig}`,
          ...(body && { "Idempotency-Key": key }),
        },
      }).then(({ status }) => status)
    expect(await sent("GET", CARDS, "RVMI47gMP+UJ2ohRMoVk4AQmJSGSrFxsz+yo0NMpIjc=")).toBe(200)
    const card = "c0a8e5d2-3f41-4b6c-9e07-000000000001"
    const body = `{"cardId":"${card}","amountRub":5000,"payoutMethod":"CARD","currencyRequested":"RUB"}`
    const signature = "WrJrwLmy2HeJBzSb32JTdcGd492Goa7tbRISKVKCsNg="
    expect(await sent("POST", PAYOUT, signature, body.replace("5000", "6000"))).toBe(401)
    expect(await sent("POST", PAYOUT, signature, body, "key-2")).toBe(401)
    expect(await sent("POST", PAYOUT, signature, body)).toBe(200)
    const status = async (ts: number) => (await signedCall(simulator, "GET", CARDS, { ts })).status
    expect([await status(seconds - 310), await status(seconds + 310)]).toEqual([401, 401])
  },
  async secret_reset(simulator) {
    const secret = simulator.signingSecret
    simulator.configure({ signingSecret: "another-signing-secret" })
    expect((await signedCall(simulator, "GET", CARDS, { secret })).status).toBe(401)
    expect((await signedCall(simulator, "GET", CARDS)).status).toBe(200)
  },
  async cards(simulator) {
    const cards = async (query: string) =>
      JSON.parse((await signedCall(simulator, "GET", CARDS + query)).text) as Json[]
    const statuses = async (query: string) => (await cards(query)).map(({ status }) => status)
    expect((await cards(""))[0]).toEqual({
      cardId: expect.any(String),
      masked: "************4242",
      last4: "4242",
      brand: "MIR",
      label: "Main card",
      status: "ACTIVE",
    })
    expect(await statuses("")).toEqual(["ACTIVE", "ACTIVE"])
    expect(await statuses("?onlyActive=false")).toEqual(["ACTIVE", "ACTIVE", "DISABLED", "PENDING"])
  },
  async payout(simulator) {
    const { body } = await signedCall(simulator, "POST", PAYOUT, { body: payout, key: "one" })
    expect(body).toMatchObject({ status: "CREATED", cardMasked: "************1111" })
  },
  async signed_query(simulator) {
    expect((await signedCall(simulator, "GET", `${CARDS}?onlyActive=true`)).status).toBe(200)
    const { authorization = "" } = simulator.requests()[0]?.headers ?? {}
    expect(authorization).toMatch(/^SVC-HMAC kid=.*, ts=.*, sig=/)
    const Authorization = `SVC-HMAC ts=1, kid=${simulator.merchantId}, sig=${"A".repeat(43)}=`
    const { status, text } = await call(simulator, "GET", CARDS, { headers: { Authorization } })
    expect([status, text]).toEqual([401, expect.stringContaining("Authorization must be")])
  },
  async card_seeds(simulator) {
    expect(simulator.cards().map(({ masked }) => masked)).toEqual(
      ["4242", "1881", "0005", "7777"].map((last4) => `************${last4}`)
    )
    expect((await signedCall(simulator, "GET", `${CARDS}?onlyActive=1`)).status).toBe(400)
  },
  async payout_refusals() {
    const simulator = await running({ usdtBalance: 20 })
    const { cardNumber: _, ...noCard } = payout
    const disabled = simulator.cards().find(({ status }) => status === "DISABLED")?.cardId
    const refused: unknown[] = [
      { ...payout, amountRub: 999 },
      { ...payout, amountRub: 87501 },
      { ...payout, amountRub: 5000 },
      { ...payout, cardNumber: "220000000000111" },
      { ...payout, cardId: simulator.cards()[0]?.cardId },
      noCard,
      { ...noCard, cardId: UNKNOWN },
      { ...noCard, cardId: disabled },
      { ...payout, payoutMethod: "SBP" },
      JSON.stringify(payout, null, 1),
    ]
    for (const body of refused) {
      expect((await signedCall(simulator, "POST", PAYOUT, { body, key: "k" })).status).toBe(400)
    }
    expect((await signedCall(simulator, "POST", PAYOUT, { body: payout })).status).toBe(400)
    expect(simulator.payouts()).toEqual([])
  },
  async payouts_disabled() {
    const simulator = await running({ payoutsEnabled: false })
    expect((await signedCall(simulator, "GET", CARDS)).status).toBe(403)
  },
  async repeated_key(simulator) {
    const pay = async (amountRub: number) => {
      const body = { ...payout, amountRub }
      const reply = await signedCall(simulator, "POST", PAYOUT, { body, key: "key" })
      return [reply.status, reply.body.withdrawalRecordId]
    }
    const first = await pay(1000)
    expect(await pay(1000)).toEqual(first)
    expect((await pay(2000))[0]).toBe(409)
    simulator.configure({ repeatedKey: "reject" })
    expect((await pay(1000))[0]).toBe(409)
  },
  async payout_money(simulator) {
    expect(simulator.usdtBalance()).toBe(10_000)
    const { body } = await signedCall(simulator, "POST", PAYOUT, { body: payout, key: "key" })
    expect(body.amountUsdtDebited).toBe(10.810811)
    expect(simulator.usdtBalance()).toBe(9989.189189)
    simulator.advance(365 * 24 * 3_600_000)
    expect(simulator.payouts()).toMatchObject([{ status: "CREATED" }])
  },
  async callback_body() {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url })
    const id = await created(simulator)
    for (const callbackBody of ["flat", "nested", "array"] as const) {
      simulator.configure({ callbackBody })
      await simulator.pay(id)
    }
    const fields = { status: "CONFIRMED", amount: 1199.99, currency: "RUB", payload: "ref_1" }
    const rest = { ...fields, merchantId: simulator.merchantId, paymentMethod: 2 }
    expect(hook.json()).toEqual([
      { transactionId: id, ...rest },
      { event: "transaction.status", data: { object: { id, ...rest } } },
      [{ id, ...rest }],
    ])
  },
  async callback_occasions() {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url })
    const id = await created(simulator)
    await simulator.setStatus(id, "PENDING")
    simulator.advance(901_000)
    await eventually(() => hook.bodies.length === 2)
    await simulator.reverse(id)
    expect(hook.json().map(({ status }) => status)).toEqual(["PENDING", "EXPIRED", "CHARGEBACKED"])
  },
  async callback_delivery() {
    const hook = await receiver(302)
    const simulator = await running({ callbackUrl: hook.url })
    const id = await created(simulator)
    expect(await simulator.sendCallback(id)).toEqual([302])
    expect(hook.bodies).toHaveLength(1)
    expect(Object.keys(hook.headers[0] ?? {}).join()).not.toMatch(/auth|sign|secret|merchant/i)
  },
  async subscription_callback() {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url })
    const id = simulator.subscriptions()[0]?.id ?? ""
    simulator.editSubscription(id, { status: "Paused" })
    await simulator.sendSubscriptionCallback(id)
    expect(hook.json()).toEqual([{ subscriptionId: id, status: "Paused" }])
  },
  async error_body() {
    const { body } = await call(await running(), "GET", "/transaction/unknown")
    expect(body).toEqual({ error: { code: "not_found", message: "There is no such transaction." } })
  },
  async unauthorized(simulator) {
    const requests = [
      ["GET", `/transaction/${UNKNOWN}`],
      ["POST", EXPORT],
      ["GET", "/subscription"],
      ["GET", CARDS],
      ["POST", PAYOUT],
    ] as const
    const wrong = [
      {},
      { "X-MerchantId": simulator.merchantId, "X-Secret": "x" },
      { "X-MerchantId": "x", "X-Secret": simulator.secret },
    ] as Record<string, string>[]
    for (const [method, path] of requests) {
      for (const headers of wrong) {
        expect((await call(simulator, method, path, { headers, key: false })).status).toBe(401)
      }
    }
  },
  async unreadable_bodies(simulator) {
    const status = async (body: string, headers = {}) =>
      (await call(simulator, "POST", CREATE, { body, headers })).status
    const good = JSON.stringify(creation)
    expect(await status(good)).toBe(200)
    expect(await status(`\uFEFF${good}`)).toBe(400)
    expect(await status(`${good}}`)).toBe(400)
    expect(await status(good, { "Content-Type": "text/plain" })).toBe(400)
    expect(await status(" ".repeat(1024 * 1024 + 1))).toBe(413)
  },
  async other_addresses(simulator) {
    const others = [
      ["POST", "/transaction/refund"],
      ["GET", "/transaction/export/csv"],
      ["POST", "/subscription"],
      ["PUT", CREATE],
    ] as const
    for (const [method, path] of others) {
      expect((await call(simulator, method, path)).status).toBe(404)
    }
  },
  async limits(simulator) {
    const reads = Array.from({ length: 50 }, () => call(simulator, "GET", "/subscription"))
    expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]))
    const full = new Transactions(settingsFrom({}), () => 0, 1)
    full.create({ amount: 1 })
    expect(() => full.create({ amount: 1 })).toThrow(expect.objectContaining({ status: 507 }))
  },
}

describe("the list of behaviours (promise 24)", () => {
  it.each(Object.keys(shows) as BehaviourId[])("is true: %s", async (id) => {
    await shows[id](await running())
  })

  it("names each once, in both languages, and every area", () => {
    expect(new Set(behaviours.map(({ id }) => id)).size).toBe(behaviours.length)
    expect(behaviours.map(({ id }) => id).sort()).toEqual(Object.keys(shows).sort())
    for (const { en, ru } of behaviours) {
      expect(en).toMatch(/^[^А-я]+\.$/)
      expect(ru).toMatch(/[А-я].*\.$/)
    }
    expect(new Set(behaviours.map(({ area }) => area))).toEqual(new Set(AREAS))
  })

  it("is in the help, what is invented apart from what is shown, and answered to programs", async () => {
    const [before, shown = ""] = help().split("As the specification shows:")
    const invented = before?.split("Invented here")[1] ?? ""
    for (const { en, isShown } of behaviours) {
      const words = (isShown ? shown : invented).replace(/\s+/g, " ")
      expect(words).toContain(en)
    }
    const { text } = await call(await running(), "GET", "/__simulator/behaviours", { key: false })
    expect(JSON.parse(text)).toEqual(BEHAVIOURS)
  })
})
