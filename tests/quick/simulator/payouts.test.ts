import { createHash, createHmac } from "node:crypto"

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
