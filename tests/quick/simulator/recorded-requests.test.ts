import { call, closeAll, created, creation, receiver, running } from "./running-simulator"

afterEach(closeAll)

const SECRET = "api-secret-of-this-test"
const SIGNING = "signing-secret-of-this-test"
const CARD = "2200123456781111"
const SIGNATURE = "RVMI47gMP+UJ2ohRMoVk4AQmJSGSrFxsz+yo0NMpIjc="
const PAYOUT = "/api/v1/payouts/card-rub"
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

const PAGES = ["/", "/?part=live"]
const LISTS = ["", "/requests", "/transactions", "/callbacks", "/payouts", "/faults"]

describe("secrets and card numbers (promise 22)", () => {
  it.each([...PAGES, ...LISTS.map((list) => `/__simulator${list}`)])(
    "are masked at %s",
    async (path) => {
      const simulator = await tellSecrets((await receiver()).url)
      const { status, text } = await call(simulator, "GET", path, { key: false })
      expect(status).toBe(200)
      expect(text).not.toMatch(NEVER_SHOWN)
    }
  )

  it("are masked before they are kept, and what helps to find a mistake stays", async () => {
    const simulator = await tellSecrets((await receiver()).url)
    const requests = simulator.requests()
    expect(JSON.stringify([requests, simulator.callbacks()])).not.toMatch(NEVER_SHOWN)
    expect(requests[0]).toMatchObject({
      headers: { "x-merchantid": simulator.merchantId, "x-secret": "***" },
      status: 200,
    })
    expect(requests[1]).toMatchObject({
      headers: { authorization: "SVC-HMAC kid=m, ts=1700000000, sig=***" },
      body: '{"cardNumber":"************1111"}',
      status: 401,
    })
    expect(requests.at(-2)?.path).toBe("/nothing?token=***&card=************1111")
    await call(simulator, "GET", "/nothing?card=2200%201234%205678%201111")
    expect(simulator.requests().at(-1)?.path).toMatch(/card=(%20)?\*{12}1111(%20)?$/)
  })

  it("are not seen in ids, times and sums", async () => {
    const simulator = await running({ secret: "12" })
    const payload = "461c55a0-1234-4567-8901-5497db348671 1700000000000 1234.12"
    await created(simulator, { payload })
    const [request] = simulator.requests()
    expect(JSON.parse(request?.body ?? "")).toEqual({ ...creation, payload })
  })
})

it("keeps the first 16 KB of a body, with its size, and hides a card number that is cut through", async () => {
  const simulator = await running()
  const megabyte = "я".repeat(500_000)
  await call(simulator, "POST", "/transaction/process", { body: megabyte, key: false })
  const body = `${"x".repeat(16 * 1024 - 8)}${CARD}`
  await call(simulator, "POST", "/nothing", { body, key: false })
  const [large, cut] = simulator.requests()
  expect(large).toMatchObject({ bodyBytes: 1_000_000, body: megabyte.slice(0, 8 * 1024) })
  expect(cut?.body.slice(-10)).toBe("xx********")
})
