import { inspect } from "node:util"
import {
  clientFor,
  collect,
  failureOf,
  json,
  MERCHANT,
  ScriptedService,
  SECRET,
  SIGNING_SECRET,
} from "./scripted-service"

const ID = "6f1c2f0a-8a52-4a0e-9f5b-2b6b1b7d9c01"
const CARD_ID = "3f0c8f9e-6b1d-4c58-9d53-0a4f0c6f2b11"
const KEY = "7e57c0de-0000-4000-8000-000000000001"
const AT = 1_732_160_000_999

const service = new ScriptedService()
beforeAll(() => service.start())
afterAll(() => service.stop())

const creation = {
  paymentMethod: 2,
  amount: "1199.99",
  currency: "RUB",
  description: "Order 1",
  returnUrl: "https://shop.test/ok",
  failedUrl: "https://shop.test/failed",
  payload: "row_1",
}
const created = {
  transactionId: ID,
  redirect: "https://pay.test/1",
  status: "PENDING",
  expiresIn: "00:15:00",
}
const details = { id: ID, status: "PENDING", paymentDetails: { amount: 1199.99, currency: "RUB" } }

describe("creating a transaction", () => {
  it("sends what is specified and nothing else", async () => {
    service.answer(json(created))
    const request = {
      ...creation,
      id: "chosen-by-caller",
      metadata: { userId: "u1", clientIp: undefined },
    }
    const reply = await clientFor(service.origin).createTransaction(request)

    expect(reply).toMatchObject({
      transactionId: ID,
      redirect: "https://pay.test/1",
      expiresInSeconds: 900,
    })
    expect(service.last).toMatchObject({ method: "POST", url: "/transaction/process" })
    expect(service.last.headers).toMatchObject({
      "x-merchantid": MERCHANT,
      "x-secret": SECRET,
      "content-type": "application/json",
    })
    expect(service.last.headers.authorization).toBeUndefined()
    expect(service.last.body.toString()).toBe(
      '{"paymentMethod":2,"paymentDetails":{"amount":1199.99,"currency":"RUB"},"description":"Order 1",' +
        '"return":"https://shop.test/ok","failedUrl":"https://shop.test/failed","payload":"row_1",' +
        '"metadata":{"userId":"u1"}}'
    )
  })

  it("does not send an amount that no number can say", async () => {
    service.answer(json(created))
    const request = { ...creation, amount: "12345678901234567890.12" }
    const error = await failureOf(clientFor(service.origin).createTransaction(request))
    expect(error).toMatchObject({ kind: "invalid", mayHaveTakenEffect: false })
    expect(service.received).toHaveLength(0)
  })
})

describe("reading a transaction (promise 1)", () => {
  it.each(["", "/gateway/v2/", "//elsewhere.test"])("finds it below %p", async (prefix) => {
    service.answer(json({ ...details, id: ID.toUpperCase() }))
    const reply = await clientFor(service.origin + prefix).getTransaction(ID)
    expect(reply.amount).toBe("1199.99")
    expect(service.last.url).toBe(`${prefix.replace(/\/$/, "")}/transaction/${ID}`)
  })

  it.each(["", "../subscription", `${ID}?x=1`, `${ID}\n`])("does not ask for %p", async (id) => {
    service.answer(json(details))
    const client = clientFor(service.origin)
    for (const asked of [client.getTransaction(id), client.getSubscription(id)]) {
      expect(await failureOf(asked)).toMatchObject({ kind: "invalid" })
    }
    expect(service.received).toHaveLength(0)
  })

  it("refuses another transaction than the one asked for", async () => {
    service.answer(json({ ...details, id: CARD_ID }))
    const error = await failureOf(clientFor(service.origin).getTransaction(ID))
    expect(error).toMatchObject({ kind: "malformed" })
    expect(error.message).toContain("id is not the one that was asked for")
  })
})

// The signatures were made with `openssl dgst -sha256 -hmac …` over the five lines of the specification, not with this code.
describe("the signed scheme (promise 15)", () => {
  beforeEach(() => void jest.spyOn(Date, "now").mockReturnValue(AT))
  afterEach(() => void jest.restoreAllMocks())

  it("signs the path without query", async () => {
    service.answer(json([{ cardId: CARD_ID, status: "ACTIVE" }]))
    const client = clientFor(service.origin)
    expect(await client.listCards({ onlyActive: false })).toMatchObject({
      cards: [{ cardId: CARD_ID }],
      unreadable: 0,
    })
    expect(service.last.url).toBe("/api/v1/cards?onlyActive=false")
    expect(service.last.headers.authorization).toBe(
      `SVC-HMAC kid=${MERCHANT}, ts=1732160000, sig=mNll4OoNbQnQMTg1njoMKBk72kEzMGhqbhCGfCFtOG0=`
    )
    expect(service.last.headers["x-secret"]).toBeUndefined()
    expect(service.last.headers["idempotency-key"]).toBeUndefined()
    expect(service.last.body).toHaveLength(0)
  })

  it.each([
    ["", "IpHgvhdx/+i8k86/FqIM92/mgSsfOVO03fa+34Ep6wA="],
    ["/gateway/v2/", "a/h8Isdwf28OjZQkT29cbi1WH3nXVfym93QJjjJnB80="],
  ])("signs the bytes of a payout that are sent, below %p", async (prefix, signature) => {
    service.answer(json({ withdrawalRecordId: ID, status: "CREATED", amountUsdtDebited: 16.4 }))
    const client = clientFor(service.origin + prefix, { signatureScheme: "PAY-HMAC" })
    const reply = await client.preparePayout({ cardId: CARD_ID, amountRub: 1500 }, KEY).send()

    expect(reply).toMatchObject({ withdrawalRecordId: ID, amountUsdtDebited: "16.4" })
    expect(service.last.body.toString()).toBe(
      `{"cardId":"${CARD_ID}","amountRub":1500,"payoutMethod":"CARD","currencyRequested":"RUB"}`
    )
    expect(service.last.headers).toMatchObject({
      authorization: `PAY-HMAC kid=${MERCHANT}, ts=1732160000, sig=${signature}`,
      "idempotency-key": KEY,
      "content-type": "application/json",
      "content-length": String(service.last.body.length),
    })
  })

  it("sends a payout again with the same bytes and key, signed at another time", async () => {
    service.answer(json({ withdrawalRecordId: ID, status: "CREATED" }))
    let at = AT
    jest.spyOn(Date, "now").mockImplementation(() => (at += 5_000))
    const client = clientFor(service.origin)
    const payout = client.preparePayout({ cardId: CARD_ID, amountRub: 1500 }, KEY)
    await payout.send()
    const first = service.last
    await payout.send()
    expect(service.last.body).toEqual(first.body)
    expect(payout.body).toEqual(first.body)
    expect(service.last.headers["idempotency-key"]).toBe(KEY)
    expect(service.last.headers.authorization).not.toBe(first.headers.authorization)
  })

  it("needs the signing secret", async () => {
    const client = clientFor(service.origin, { signingSecret: undefined })
    expect(await failureOf(client.listCards())).toMatchObject({
      kind: "invalid",
    })
    service.answer(json(details))
    await client.getTransaction(ID)
  })
})

it("a client does not show its secrets when it is printed (promise 22)", () => {
  const printed = inspect(clientFor(service.origin), { depth: 10, showHidden: true })
  expect(printed).not.toContain(SECRET)
  expect(printed).not.toContain(SIGNING_SECRET)
})

it("exports with all five fields, always (promise 13)", async () => {
  service.answer(json([]))
  const from = new Date("2025-11-01T00:00:00+03:00")
  const to = new Date("2025-11-02T00:00:00Z")
  expect(await collect(clientFor(service.origin).exportTransactions({ from, to }))).toEqual([[]])
  expect(service.last).toMatchObject({ method: "POST", url: "/transaction/export/json" })
  expect(service.last.headers).toMatchObject({ accept: "text/plain", "x-secret": SECRET })
  expect(JSON.parse(service.last.body.toString())).toEqual({
    statuses: [],
    paymentMethods: [],
    from: "2025-10-31T21:00:00.000Z",
    to: "2025-11-02T00:00:00.000Z",
    timeZoneId: "UTC",
  })
})
