import type { Simulator } from "../../../simulator"
import { call, closeAll, created, eventually, receiver, running } from "./running-simulator"

let simulator: Simulator
beforeEach(async () => {
  simulator = await running()
})
afterEach(closeAll)

describe("the payer page (promise 24)", () => {
  it("shows the payment and three buttons, and no other payment", async () => {
    const simulator = await running({ merchantName: "Tea & Co" })
    const id = await created(simulator, { description: `<img src=x onerror="alert('1')">` })
    const other = await created(simulator)
    const { status, headers, text } = await call(simulator, "GET", `/pay/${id}`, { key: false })
    expect(status).toBe(200)
    expect(headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(text).toContain("Tea &#38; Co")
    expect(text).not.toContain("<img")
    expect(text).toContain("&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;")
    for (const button of ["pay", "decline", "expire"]) expect(text).toContain(`id="${button}"`)
    expect(text).toContain("1,199.99")
    expect(text).not.toContain(other)
    expect(text).not.toContain(simulator.secret)
  })

  it("shows what became of a settled payment, with a way back, and settles nothing twice", async () => {
    const id = await created(simulator)
    await simulator.decline(id)
    const late = await call(simulator, "POST", `/pay/${id}/pay?lang=ru`)
    expect([late.status, late.headers.get("location")]).toEqual([303, `../${id}?lang=ru`])
    expect(simulator.transaction(id).status).toBe("CANCELED")
    const { text } = await call(simulator, "GET", `/pay/${id}?lang=ru`)
    expect(text).toContain("Платёж отклонён")
    expect(text).toContain('href="https://shop.example/no"')
    expect(text).not.toContain('id="pay"')
  })

  it.each([
    [{ "accept-language": "ru-RU,ru;q=0.9,en;q=0.8" }, "", "Оплатить"],
    [{ "accept-language": "de, ru;q=0.5, en;q=0.7" }, "", "Decline"],
    [{ "accept-language": "en" }, "?lang=ru", "Отказаться"],
  ])("speaks the payer's language: %j %s", async (headers, query, word) => {
    const id = await created(simulator)
    const { text } = await call(simulator, "GET", `/pay/${id}${query}`, { headers })
    expect(text).toContain(word)
  })
})

/** A button and the status and sum that it leaves, of a payment of 1,199.99 ₽. */
const OUTCOMES: [string, object][] = [
  ["less", { status: "CONFIRMED", amount: 1079.99 }],
  ["more", { status: "CONFIRMED", amount: 1319.99 }],
  ["currency", { status: "CONFIRMED", currency: "USD" }],
  ["reference", { status: "CONFIRMED", payload: expect.stringMatching(/^not-/) }],
  ["payTwice", { status: "CONFIRMED", amount: 1199.99 }],
  ["reverse", { status: "CHARGEBACKED", amount: 1199.99 }],
]
const form = (simulator: Simulator, path: string, body = "") =>
  call(simulator, "POST", path, {
    body,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  })

describe("what a tester lets happen, on both pages (promise 24)", () => {
  it.each(OUTCOMES)("%s leaves %j and tells the shop", async (outcome, left) => {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url })
    const [one, other] = [await created(simulator), await created(simulator)]
    expect((await call(simulator, "GET", `/pay/${one}`)).text).toContain(`"${one}/${outcome}?`)
    expect((await call(simulator, "GET", "/")).text).toContain(`"actions/${one}/${outcome}?`)
    const reply = await call(simulator, "POST", `/pay/${one}/${outcome}`)
    // Nobody pays by taking money back, so that stays on its page.
    const back = outcome === "reverse" ? `../${one}` : "https://shop.example/ok"
    expect([reply.status, reply.headers.get("location")]).toEqual([303, back])
    await call(simulator, "POST", `/actions/${other}/${outcome}`)
    expect([one, other].map((id) => simulator.transaction(id))).toEqual([
      expect.objectContaining(left),
      expect.objectContaining(left),
    ])
    const told = outcome === "payTwice" ? 4 : 2
    await eventually(() => hook.bodies.length === told)
  })

  it("pays late: first the time is over, and of what is over the money comes at once", async () => {
    const id = await created(simulator)
    const { headers } = await call(simulator, "POST", `/pay/${id}/payLate`)
    expect(headers.get("location")).toBe("https://shop.example/no")
    expect(simulator.transaction(id).status).toBe("EXPIRED")
    const again = await call(simulator, "POST", `/pay/${id}/payLate?lang=ru`)
    expect(again.headers.get("location")).toBe(`../${id}?lang=ru`)
    expect(simulator.transaction(id).status).toBe("CONFIRMED")
  })

  it("pays by itself ten seconds after the time was over", async () => {
    const id = await created(simulator)
    await call(simulator, "POST", `/actions/${id}/payLate`)
    expect(simulator.transaction(id).status).toBe("EXPIRED")
    await eventually(() => simulator.transaction(id).status === "CONFIRMED", 30_000)
  })
})

describe("the developer page", () => {
  it("breaks requests and callbacks", async () => {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url })
    const send = (path: string, body: string) => form(simulator, path, body)
    await send("/actions/faults", "on=get&kind=status&status=503&delayMs=&times=3")
    expect(simulator.faults()).toMatchObject([{ on: "get", kind: "status", status: 503, left: 3 }])
    expect((await call(simulator, "GET", "/")).text).toContain("get: status 503")
    await send("/actions/faults/clear", "")
    expect(simulator.faults()).toEqual([])
    expect((await send("/actions/faults", "on=get&kind=explode")).status).toBe(400)

    await send("/actions/callbacks", "mode=twice")
    await simulator.pay(await created(simulator))
    expect(hook.bodies).toHaveLength(2)
    await send("/actions/callbacks/unreadable", "mode=normal")
    await eventually(() => hook.bodies[2] === "{}")
  })

  it.each(["/actions/ID/pay", "/pay/ID/pay", "/__simulator/transactions/ID/pay"])(
    "%s is refused to other web sites",
    async (path) => {
      const id = await created(simulator)
      const { status } = await call(simulator, "POST", path.replace("ID", id), {
        headers: { "Sec-Fetch-Site": "cross-site" },
      })
      expect(status).toBe(403)
      expect(simulator.transaction(id).status).toBe("PENDING")
    }
  )
})
