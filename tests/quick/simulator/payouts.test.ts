import { createHash, createHmac, randomUUID } from "node:crypto"

import type { Simulator } from "../../../simulator"
import { call, closeAll, running } from "./running-simulator"

afterEach(closeAll)

const SECONDS = 1_700_000_000
const now = () => SECONDS * 1000
const MERCHANT = "5f0c9d1e-7a34-4b52-9d8e-2c6b1a7f4e10"
const CARDS = "/api/v1/cards"
const PAYOUT = "/api/v1/payouts/card-rub"
const ACTIVE_CARD = "c0a8e5d2-3f41-4b6c-9e07-000000000001"
const valid = {
  cardId: ACTIVE_CARD,
  amountRub: 5000,
  payoutMethod: "CARD",
  currencyRequested: "RUB",
}

/** Signs as the specification says; the literals below were computed with openssl instead. */
function authorization(
  method: string,
  path: string,
  options: { body?: string; key?: string; ts?: number | string; secret?: string; kid?: string }
): string {
  const { body = "", key = "", ts = SECONDS, secret = "demo-signing-secret" } = options
  const digest = createHash("sha256").update(body).digest("hex")
  const signature = createHmac("sha256", secret)
    .update(`${method}\n${path}\n${ts}\n${key}\n${digest}`)
    .digest("base64")
  return `SVC-HMAC kid=${options.kid ?? MERCHANT}, ts=${ts}, sig=${signature}`
}

function pay(simulator: Simulator, body: unknown, key: string = randomUUID()) {
  const bytes = typeof body === "string" ? body : JSON.stringify(body)
  return call(simulator, "POST", PAYOUT, {
    key: false,
    body: bytes,
    headers: {
      "Idempotency-Key": key,
      Authorization: authorization("POST", PAYOUT, { body: bytes, key }),
    },
  })
}

describe("the signed scheme", () => {
  it("accepts signatures that openssl made", async () => {
    const simulator = await running({ now })
    const cards = await call(simulator, "GET", CARDS, {
      key: false,
      headers: {
        Authorization: `SVC-HMAC kid=${MERCHANT}, ts=1700000000, sig=RVMI47gMP+UJ2ohRMoVk4AQmJSGSrFxsz+yo0NMpIjc=`,
      },
    })
    expect(cards.status).toBe(200)
    const payout = await call(simulator, "POST", PAYOUT, {
      key: false,
      body: '{"cardId":"c0a8e5d2-3f41-4b6c-9e07-000000000001","amountRub":5000,"payoutMethod":"CARD","currencyRequested":"RUB"}',
      headers: {
        "Idempotency-Key": "key-1",
        Authorization: `SVC-HMAC kid=${MERCHANT}, ts=1700000000, sig=WrJrwLmy2HeJBzSb32JTdcGd492Goa7tbRISKVKCsNg=`,
      },
    })
    expect(payout.status).toBe(200)
  })

  it.each<[string, string]>([
    ["none", ""],
    ["another scheme", authorization("GET", CARDS, {}).replace("SVC-HMAC", "HMAC")],
    ["another kid", authorization("GET", CARDS, { kid: "someone" })],
    ["another secret", authorization("GET", CARDS, { secret: "reset" })],
    ["another method", authorization("POST", CARDS, {})],
    ["another path", authorization("GET", `${CARDS}/`, {})],
    ["a key, which a GET does not sign", authorization("GET", CARDS, { key: "k" })],
    ["a body that was not sent", authorization("GET", CARDS, { body: "{}" })],
    ["a time 301 s ago", authorization("GET", CARDS, { ts: SECONDS - 301 })],
    ["a time 301 s ahead", authorization("GET", CARDS, { ts: SECONDS + 301 })],
    ["a time in milliseconds", authorization("GET", CARDS, { ts: SECONDS * 1000 })],
    ["a time with a fraction", authorization("GET", CARDS, { ts: "1700000000.5" })],
    ["no spaces", authorization("GET", CARDS, {}).replaceAll(", ", ",")],
    ["a shorter signature", authorization("GET", CARDS, {}).replace(/.{5}$/, "=")],
    ["hex", authorization("GET", CARDS, {}).replace(/sig=.*/, `sig=${"0".repeat(64)}`)],
  ])("answers 401 to %s", async (_name, header) => {
    const simulator = await running({ now })
    const reply = await call(simulator, "GET", CARDS, { headers: { Authorization: header } })
    expect(reply.status).toBe(401)
  })

  it.each<[string, (signature: string) => string]>([
    ["without its padding", (signature) => signature.replace("=", "")],
    ["with more padding", (signature) => `${signature}=`],
    ["in Base64 for addresses", (signature) => signature.replace(/\+/g, "-").replace(/\//g, "_")],
    // The last letter before the padding holds two bits that mean nothing.
    ["with other bits at the end", (signature) => signature.replace("c=", "d=")],
  ])("refuses a signature %s", async (_name, changed) => {
    const simulator = await running({ now })
    const signature = "RVMI47gMP+UJ2ohRMoVk4AQmJSGSrFxsz+yo0NMpIjc="
    const read = async (sig: string) => {
      const headers = { Authorization: `SVC-HMAC kid=${MERCHANT}, ts=${SECONDS}, sig=${sig}` }
      return (await call(simulator, "GET", CARDS, { headers })).status
    }
    expect([await read(signature), await read(changed(signature))]).toEqual([200, 401])
  })

  it("says what must be signed, so that a mistake can be found", async () => {
    const simulator = await running({ now })
    const { text } = await pay(simulator, valid, "key")
    expect(text).toContain("CREATED")
    const headers = { Authorization: authorization("GET", `${CARDS}/`, {}) }
    const refused = await call(simulator, "GET", CARDS, { headers })
    const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    expect((refused.body.error as { message: string }).message).toBe(
      `The signature does not match. Signed must be: ${JSON.stringify(
        `GET\n${CARDS}\n${SECONDS}\n\n${empty}`
      )}`
    )
  })

  it("accepts a clock that is 300 s off, either way, and a query that is not signed", async () => {
    const simulator = await running({ now })
    for (const ts of [SECONDS - 300, SECONDS + 300]) {
      const headers = { Authorization: authorization("GET", CARDS, { ts }) }
      const reply = await call(simulator, "GET", `${CARDS}?onlyActive=false`, { headers })
      expect(reply.status).toBe(200)
    }
  })

  it("refuses a secret that has been reset, and takes another scheme word", async () => {
    const simulator = await running({ now, scheme: "PAY-HMAC" })
    const header = authorization("GET", CARDS, {}).replace("SVC-HMAC", "PAY-HMAC")
    const read = () => call(simulator, "GET", CARDS, { headers: { Authorization: header } })
    expect((await read()).status).toBe(200)
    simulator.configure({ signingSecret: "new" })
    expect(simulator.signingSecret).toBe("new")
    expect((await read()).status).toBe(401)
  })

  it("covers body and key: either changed on the way is refused", async () => {
    const simulator = await running({ now })
    const body = JSON.stringify(valid)
    const send = (sent: string, key: string) =>
      call(simulator, "POST", PAYOUT, {
        body: sent,
        headers: {
          "Idempotency-Key": key,
          Authorization: authorization("POST", PAYOUT, { body, key: "key-1" }),
        },
      })
    expect((await send(body.replace("5000", "6000"), "key-1")).status).toBe(401)
    expect((await send(body, "key-2")).status).toBe(401)
    expect(simulator.payouts()).toEqual([])
  })
})

describe("GET /api/v1/cards", () => {
  const list = async (simulator: Simulator, query = "") => {
    const headers = { Authorization: authorization("GET", CARDS, {}) }
    const { status, text } = await call(simulator, "GET", `${CARDS}${query}`, { headers })
    return { status, cards: JSON.parse(text) as Record<string, unknown>[] }
  }

  it("lists active cards, and the others when asked", async () => {
    const simulator = await running({ now })
    const statuses = async (query: string) =>
      (await list(simulator, query)).cards.map(({ status }) => status)
    expect(await statuses("")).toEqual(["ACTIVE", "ACTIVE"])
    expect(await statuses("?onlyActive=true")).toEqual(["ACTIVE", "ACTIVE"])
    expect(await statuses("?onlyActive=false")).toEqual(["ACTIVE", "ACTIVE", "DISABLED", "PENDING"])
    expect((await list(simulator)).cards[0]).toEqual({
      cardId: ACTIVE_CARD,
      masked: "************4242",
      last4: "4242",
      brand: "MIR",
      label: "Main card",
      status: "ACTIVE",
    })
    expect((await list(simulator, "?onlyActive=1")).status).toBe(400)
  })
})

describe("POST /api/v1/payouts/card-rub", () => {
  it("pays to a saved card and to a card number, from the USDT balance", async () => {
    const simulator = await running({ now, usdtRate: 100, usdtBalance: 60 })
    const saved = await pay(simulator, valid, "one")
    expect(saved.status).toBe(200)
    expect(saved.body).toEqual({
      withdrawalRecordId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "CREATED",
      cardMasked: "************4242",
      amountUsdtDebited: 50,
    })
    const { cardId: _cardId, ...rest } = valid
    const typed = { cardNumber: "2200000000001111", ...rest, amountRub: 1000 }
    expect((await pay(simulator, typed, "two")).body).toMatchObject({
      cardMasked: "************1111",
      amountUsdtDebited: 10,
    })
    expect(simulator.usdtBalance()).toBe(0)
    expect((await pay(simulator, typed, "three")).status).toBe(400)
    expect(simulator.payouts()).toMatchObject([
      { key: "one", cardId: ACTIVE_CARD, amountRub: 5000, status: "CREATED" },
      { key: "two", cardId: null, cardMasked: "************1111" },
    ])
    expect(JSON.stringify(simulator.payouts())).not.toContain("2200000000001111")
  })

  it.each([1000, 87500])("accepts the limit %d", async (amountRub) => {
    const simulator = await running({ now })
    expect((await pay(simulator, { ...valid, amountRub })).status).toBe(200)
  })

  const { cardId: _cardId, ...withoutCard } = valid
  const { currencyRequested: _currency, ...withoutCurrency } = valid
  it.each<[string, unknown]>([
    ["a fraction", { ...valid, amountRub: 1000.5 }],
    ["an amount as text", { ...valid, amountRub: "5000" }],
    ["digits with spaces", { cardNumber: "2200 0000 0000 1111", ...withoutCard }],
    ["a pending card", { ...valid, cardId: "c0a8e5d2-3f41-4b6c-9e07-000000000004" }],
    ["another currency", { ...valid, currencyRequested: "USD" }],
    ["a missing field", withoutCurrency],
    ["an unknown field", { ...valid, comment: "" }],
    ["a space after a comma", JSON.stringify(valid).replace(",", ", ")],
    ["whitespace at the end", `${JSON.stringify(valid)}\n`],
    ["a tab before the end", JSON.stringify(valid).replace("}", "\t}")],
    ["no JSON", "{"],
  ])("answers 400 to %s and pays nothing", async (_name, body) => {
    const simulator = await running({ now })
    const reply = await pay(simulator, body)
    expect(reply.status).toBe(400)
    expect(simulator.payouts()).toEqual([])
    expect(simulator.usdtBalance()).toBe(10_000)
  })

  it.each<[string, string]>([
    ["a number with an exponent", JSON.stringify(valid).replace("5000", "5e3")],
    ["a number with decimals", JSON.stringify(valid).replace("5000", "5000.0")],
    ["an escaped text", JSON.stringify(valid).replace('"CARD"', '"\\u0043ARD"')],
  ])("accepts compact JSON with %s", async (_name, body) => {
    const simulator = await running({ now })
    expect((await pay(simulator, body)).status).toBe(200)
    expect(simulator.payouts()).toMatchObject([{ amountRub: 5000 }])
  })

  it("finds whitespace only where it is between things", async () => {
    const simulator = await running({ now })
    const message = async (body: string) => JSON.stringify((await pay(simulator, body)).body)
    const odd = JSON.stringify({ ...valid, 'a " key\\': 'with {"a": 1},\t' })
    expect(await message(odd)).toContain("Unrecognized key")
    expect(await message(odd.replace("}", "} "))).toContain("Unrecognized key")
    expect(await message(odd.replace(/}$/, " }"))).toContain("extra whitespace")
  })

  it("demands the key even when an empty one was signed", async () => {
    const simulator = await running({ now })
    const body = JSON.stringify(valid)
    const reply = await call(simulator, "POST", PAYOUT, {
      body,
      headers: { Authorization: authorization("POST", PAYOUT, { body }) },
    })
    expect(reply.status).toBe(400)
  })

  it("has paid when its reply was lost", async () => {
    const simulator = await running({ now })
    simulator.fault({ on: "payout", kind: "drop_after" })
    await expect(pay(simulator, valid, "key")).rejects.toThrow("fetch failed")
    const again = await pay(simulator, valid, "key")
    expect(again.body.withdrawalRecordId).toBe(simulator.payouts()[0]?.id)
    expect(simulator.payouts()).toHaveLength(1)
  })
})
