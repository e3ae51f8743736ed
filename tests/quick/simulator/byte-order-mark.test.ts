import { createHash, createHmac } from "node:crypto"

import { call, closeAll, creation, running } from "./running-simulator"

afterEach(closeAll)

const MARK = "\uFEFF"

describe("a byte order mark before a body", () => {
  const bodies: [string, string, unknown][] = [
    ["POST", "/transaction/process", creation],
    ["POST", "/transaction/export/json", {}],
    ["POST", "/api/v1/payouts/card-rub", { amountRub: 5000 }],
    ["POST", "/__simulator/transactions", { amount: 1 }],
    ["PUT", "/__simulator/settings", {}],
  ]

  it.each(bodies)("is refused in the same way by %s %s", async (method, path, content) => {
    const simulator = await running()
    const body = MARK + JSON.stringify(content)
    const ts = Math.floor(simulator.now() / 1000)
    const digest = createHash("sha256").update(body).digest("hex")
    const sig = createHmac("sha256", simulator.signingSecret)
      .update(`${method}\n${path}\n${ts}\nkey\n${digest}`)
      .digest("base64")
    const headers = {
      Authorization: `SVC-HMAC kid=${simulator.merchantId}, ts=${ts}, sig=${sig}`,
      "Idempotency-Key": "key",
    }
    const reply = await call(simulator, method, path, { body, headers })
    expect([reply.status, reply.body]).toEqual([
      400,
      { error: { code: "invalid_json", message: "The body begins with a byte order mark." } },
    ])
    expect(simulator.transactions()).toEqual([])
  })
})
