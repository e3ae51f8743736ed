import { call, closeAll, created, creation, receiver, running } from "./running-simulator"

afterEach(closeAll)

const SECRET = "api-secret-of-this-test"
const SIGNING = "signing-secret-of-this-test"
const CARD = "2200123456781111"
const SIGNATURE = "RVMI47gMP+UJ2ohRMoVk4AQmJSGSrFxsz+yo0NMpIjc="
const PAYOUT = "/api/v1/payouts/card-rub"
const CONTROL_LISTS = ["requests", "transactions", "callbacks", "payouts", "faults", ""]

/** Sends every secret in every place where one can be sent by right or by mistake. */
async function tellSecrets(callbackUrl: string) {
  const simulator = await running({ secret: SECRET, signingSecret: SIGNING, callbackUrl })
  const texts = [SECRET, SIGNING, CARD, "2200 1234 5678 1111", "2200-1234-5678-1111"]
  await created(simulator, { description: texts.join(", "), payload: JSON.stringify(texts) })
  const [transaction] = simulator.transactions()
  await simulator.setStatus(transaction?.id ?? "", `ODD ${SECRET}`)
  await simulator.sendRawCallback({ cardNumber: CARD, note: SIGNING })
  const headers = {
    "X-Secret": "a wrong one",
    Authorization: `SVC-HMAC kid=m, ts=1700000000, sig=${SIGNATURE}`,
    Cookie: "session=cookie-of-somebody",
    "X-Api-Key": "key-of-somebody",
    "X-Note": `card ${CARD}`,
  }
  const bodies = [
    JSON.stringify({ cardNumber: CARD }),
    `{"cardNumber": "2200 1234 5678 1111", `,
    `{"cardNumber":220012345678111}`,
    `{"cardNumber":"22001234567811112222"}`,
    JSON.stringify({ secret: SECRET }),
  ]
  for (const body of bodies) await call(simulator, "POST", PAYOUT, { body, headers, key: false })
  for (const path of [`/cards/${CARD}`, `/nothing?token=token-of-somebody&card=${CARD}`, SECRET]) {
    await call(simulator, "GET", path.startsWith("/") ? path : `/${path}`, { headers })
  }
  simulator.fault({ on: "file", kind: "body", body: { cardNumber: CARD, secret: SIGNING } })
  return simulator
}

const NEVER_SHOWN =
  /api-secret-of|signing-secret-of|2200.?1234|220012345678|RVMI47|a wrong one|-of-somebody/

describe("secrets and card numbers", () => {
  it.each(CONTROL_LISTS)("are masked in what the control route answers: %s", async (list) => {
    const simulator = await tellSecrets((await receiver()).url)
    const { status, text } = await call(simulator, "GET", `/__simulator/${list}`.replace(/\/$/, ""))
    expect(status).toBe(200)
    expect(text.length).toBeGreaterThan(1)
    expect(text).not.toMatch(NEVER_SHOWN)
  })

  it.each(["461c55a0-1234-4567-8901-5497db348671", "5fac1234-5678-4012-9210-4374b6f5eb2c"])(
    "are not seen in an id: %s",
    async (id) => {
      const simulator = await running()
      await created(simulator, { payload: id })
      await call(simulator, "GET", `/transaction/${id}`)
      const { text } = await call(simulator, "GET", "/__simulator/transactions")
      expect(JSON.parse(text)).toMatchObject([{ payload: id }])
      const { text: requests } = await call(simulator, "GET", "/__simulator/requests")
      expect(requests).toContain(`/transaction/${id}`)
    }
  )

  it.each(["/", "/?part=live", "/?lang=ru"])(
    "are masked on the developer page %s",
    async (path) => {
      const simulator = await tellSecrets((await receiver()).url)
      const { text } = await call(simulator, "GET", path, { key: false })
      expect(text).toContain(PAYOUT)
      expect(text).not.toMatch(NEVER_SHOWN)
    }
  )

  it("are masked before they are kept, and what helps to find a mistake stays", async () => {
    const simulator = await tellSecrets((await receiver()).url)
    const requests = simulator.requests()
    expect(JSON.stringify([requests, simulator.callbacks()])).not.toMatch(NEVER_SHOWN)
    expect(requests[0]).toMatchObject({
      headers: { "x-merchantid": simulator.merchantId, "x-secret": "***" },
      bodyBytes: expect.any(Number),
      status: 200,
    })
    expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({
      description: `***, ***${", ************1111".repeat(3)}`,
    })
    expect(requests[1]).toMatchObject({
      headers: { authorization: "SVC-HMAC kid=m, ts=1700000000, sig=***" },
      body: '{"cardNumber":"************1111"}',
      status: 401,
    })
    const { text } = await call(simulator, "GET", "/__simulator/requests?on=payout")
    expect(JSON.parse(text)).toEqual(simulator.requests({ on: "payout" }))
    expect(requests.at(-2)?.path).toBe("/nothing?token=***&card=************1111")
  })

  it.each(["2200+1234+5678+1111", "2200%201234%205678%201111", "%202200123456781111%20"])(
    "are masked in addresses: %s",
    async (card) => {
      const simulator = await running()
      await call(simulator, "GET", `/nothing?card=${card}`)
      expect(simulator.requests()[0]?.path).toMatch(/card=(%20)?\*{12}1111(%20)?$/)
    }
  )

  it("are nowhere else mistaken for ids, times and sums", async () => {
    const simulator = await running({ secret: "12" })
    const payload = "00000000-0000-0000-0000-000000000000 1700000000000 1234.12"
    await created(simulator, { payload })
    const [request] = simulator.requests()
    expect(JSON.parse(request?.body ?? "")).toEqual({ ...creation, payload })
    expect(request?.headers["x-secret"]).toBe("***")
  })

  it.each([
    ["Bearer abcdefgh", "Bearer ***"],
    ["abcdefgh", "***"],
    [`SVC-HMAC sig=${SIGNATURE}, kid=m, ts=1`, "SVC-HMAC ***"],
  ])("are hidden in Authorization: %s", async (sent, kept) => {
    const simulator = await running()
    await call(simulator, "GET", "/api/v1/cards", { headers: { Authorization: sent } })
    expect(simulator.requests()[0]?.headers.authorization).toBe(kept)
  })
})

describe("what is kept of requests and callbacks", () => {
  const megabyte = "я".repeat(500_000)

  it("is the first 16 KB of a body, with its size", async () => {
    const simulator = await running({ callbackUrl: (await receiver()).url })
    await call(simulator, "POST", "/transaction/process", { body: megabyte, key: false })
    expect(simulator.requests()[0]).toMatchObject({ bodyBytes: 1_000_000, status: 401 })
    expect(simulator.requests()[0]?.body).toBe(megabyte.slice(0, 8 * 1024))
    await simulator.sendRawCallback(megabyte)
    expect(simulator.callbacks()[0]?.body).toBe(megabyte.slice(0, 8 * 1024))
  })

  it("hides a card number that is cut through, and one after the end", async () => {
    const simulator = await running()
    const body = `${"x".repeat(16 * 1024 - 8)}${CARD}`
    await call(simulator, "POST", "/nothing", { body, key: false })
    expect(simulator.requests()[0]?.body.slice(-10)).toBe("xx********")
  })
})
