import { call, closeAll, created, creation, running } from "./running-simulator"

afterEach(closeAll)

const START = Date.UTC(2025, 0, 15, 12, 0, 0)

describe("POST /transaction/process", () => {
  it("answers exactly the table of the specification", async () => {
    const simulator = await running({ now: () => START, publicUrl: "https://pay.example/" })
    const { status, headers, body } = await call(simulator, "POST", "/transaction/process", {
      body: creation,
    })
    const { transactionId, ...rest } = body
    expect(status).toBe(200)
    expect(headers.get("content-type")).toContain("application/json")
    expect(transactionId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(rest).toEqual({
      paymentMethod: "SBPQR",
      redirect: `https://pay.example/pay/${String(transactionId)}`,
      return: "https://shop.example/ok",
      paymentDetails: "1199.99 RUB",
      status: "PENDING",
      expiresIn: "00:15:00",
      merchantId: simulator.merchantId,
      usdtRate: 92.5,
    })
  })

  it("accepts metadata and the crypto method", async () => {
    const simulator = await running()
    const metadata = { userId: "cus_1", userName: "Анна", clientIp: "2001:db8::1" }
    const id = await created(simulator, { paymentMethod: 13, metadata })
    expect(simulator.transaction(id)).toMatchObject({
      paymentMethod: 13,
      metadata,
      payload: "ref_1",
    })
  })

  const { payload: _payload, ...withoutPayload } = creation
  const rejected: [string, unknown][] = [
    ["an id of null", { ...creation, id: null }],
    ["a missing field", withoutPayload],
    ["a method as text", { ...creation, paymentMethod: "2" }],
    ["a method that is no integer", { ...creation, paymentMethod: 2.5 }],
    ["a method of the prototype", { ...creation, paymentMethod: -1 }],
    ["an amount as text", { ...creation, paymentDetails: { amount: "10", currency: "RUB" } }],
    ["a negative amount", { ...creation, paymentDetails: { amount: -1, currency: "RUB" } }],
    ["three decimals", { ...creation, paymentDetails: { amount: 1.005, currency: "RUB" } }],
    ["an unrounded sum", { ...creation, paymentDetails: { amount: 0.1 + 0.2, currency: "RUB" } }],
    ["a currency in lower case", { ...creation, paymentDetails: { amount: 1, currency: "rub" } }],
    ["no currency", { ...creation, paymentDetails: { amount: 1 } }],
    ["a description that is a number", { ...creation, description: 1 }],
    ["a return that is no URL", { ...creation, return: "/ok" }],
    ["a return that is a script", { ...creation, return: "javascript:alert(1)" }],
    ["a failedUrl that is no URL", { ...creation, failedUrl: "" }],
    ["a payload that is an object", { ...creation, payload: {} }],
    ["metadata of null", { ...creation, metadata: null }],
    ["a userId that is a number", { ...creation, metadata: { userId: 1 } }],
    ["an unknown metadata field", { ...creation, metadata: { email: "a@example.com" } }],
    ["an array", [creation]],
    ["null", "null"],
    ["a body that is no JSON", "{"],
    ["an empty body", ""],
  ]

  it.each(rejected)("answers 400 to %s and creates nothing", async (_name, body) => {
    const simulator = await running()
    const reply = await call(simulator, "POST", "/transaction/process", { body })
    expect(reply.status).toBe(400)
    expect(reply.body).toEqual({
      error: { code: expect.any(String), message: expect.stringMatching(/.+/) },
    })
    expect(simulator.transactions()).toEqual([])
  })

  it.each([
    [withoutPayload, "payload: is missing"],
    [{ ...creation, more: 1 }, 'body: Unrecognized key: "more"'],
    [{ ...creation, return: "/ok" }, "return: is not a URL"],
    [
      { ...creation, paymentMethod: "2" },
      "paymentMethod: Invalid input: expected number, received",
    ],
  ])("says what is wrong: %#", async (body, message) => {
    const reply = await call(await running(), "POST", "/transaction/process", { body })
    expect(reply.body.error).toMatchObject({ message: expect.stringContaining(message) })
  })

  it("takes other currencies, methods and status names from its options", async () => {
    const simulator = await running({
      currencies: ["RUB", "EUR"],
      methods: { 7: "OTHER" },
      statuses: { pending: "NEW", paid: undefined },
    })
    const { body } = await call(simulator, "POST", "/transaction/process", {
      body: { ...creation, paymentMethod: 7, paymentDetails: { amount: 5, currency: "EUR" } },
    })
    expect(body).toMatchObject({ paymentMethod: "OTHER", status: "NEW", paymentDetails: "5 EUR" })
    await simulator.pay(String(body.transactionId))
    expect(simulator.transaction(String(body.transactionId)).status).toBe("CONFIRMED")
  })
})

describe("the merchant key", () => {
  const requests: [string, string, unknown][] = [
    ["POST", "/transaction/process", creation],
    ["POST", "/transaction/process", { not: "valid either" }],
    ["GET", "/transaction/5f0c9d1e-7a34-4b52-9d8e-2c6b1a7f4e10", undefined],
    ["POST", "/transaction/export/json", {}],
    ["GET", "/subscription", undefined],
    ["GET", "/subscription/5f0c9d1e-7a34-4b52-9d8e-2c6b1a7f4e10", undefined],
  ]

  it.each(requests)("%s %s needs it", async (method, path, body) => {
    const simulator = await running()
    const attempt = async (headers: Record<string, string>) =>
      (await call(simulator, method, path, { body, headers, key: false })).status
    expect(await attempt({})).toBe(401)
    expect(await attempt({ "X-MerchantId": simulator.merchantId })).toBe(401)
    expect(await attempt({ "X-Secret": simulator.secret })).toBe(401)
    expect(await attempt({ "X-MerchantId": simulator.merchantId, "X-Secret": "x" })).toBe(401)
    expect(await attempt({ "X-MerchantId": "x", "X-Secret": simulator.secret })).toBe(401)
  })
})

describe("addresses that the service does not have", () => {
  it.each([
    ["GET", "/transaction/process"],
    ["GET", "/transaction"],
    ["POST", "/transaction/process/"],
    ["DELETE", "/api/v1/cards"],
    ["GET", "/api/v1/payouts/card-rub"],
    ["GET", "/nothing"],
    ["POST", "/"],
  ])("%s %s answers 404", async (method, path) => {
    const simulator = await running()
    expect((await call(simulator, method, path)).status).toBe(404)
  })

  it("answers 400 to an address that cannot be decoded", async () => {
    const simulator = await running()
    expect((await call(simulator, "GET", "/transaction/%E0%A4%A")).status).toBe(400)
  })
})
