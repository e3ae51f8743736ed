import type { Simulator } from "../../../simulator"
import { setTimeout as delay } from "node:timers/promises"

import {
  call,
  closeAll,
  created,
  creation,
  eventually,
  receiver,
  running,
} from "./running-simulator"

let simulator: Simulator
beforeEach(async () => {
  simulator = await running()
})
afterEach(closeAll)

const create = (of = simulator) => call(of, "POST", "/transaction/process", { body: creation })

describe("a fault", () => {
  it("drop_before cuts the connection and nothing happened", async () => {
    simulator.fault({ on: "create", kind: "drop_before" })
    await expect(create()).rejects.toThrow("fetch failed")
    expect(simulator.transactions()).toHaveLength(0)
    expect(simulator.requests({ on: "create" })).toHaveLength(1)
    expect((await create()).status).toBe(200)
  })

  it("drop_after cuts the connection and it happened", async () => {
    simulator.fault({ on: "create", kind: "drop_after" })
    await expect(create()).rejects.toThrow("fetch failed")
    expect(simulator.transactions()).toHaveLength(1)
  })

  it("status answers an error, with a wait to ask for; applied only when told so", async () => {
    simulator.fault({ on: "create", kind: "status", status: 429, retryAfterSeconds: 7 })
    simulator.fault({ on: "create", kind: "status", status: 503, applied: true })
    simulator.fault({ on: "create", kind: "status" })
    const limited = await create()
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"])
    expect(simulator.transactions()).toHaveLength(0)
    expect((await create()).status).toBe(503)
    expect(simulator.transactions()).toHaveLength(1)
    expect((await create()).status).toBe(500)
  })

  it("slow takes effect at once and answers later", async () => {
    simulator.fault({ on: "create", kind: "slow", delayMs: 200 })
    const began = performance.now()
    let isAnswered = false
    const reply = create().finally(() => (isAnswered = true))
    await eventually(() => simulator.transactions().length === 1)
    expect(isAnswered).toBe(false)
    expect((await reply).status).toBe(200)
    expect(performance.now() - began).toBeGreaterThan(190)
  })

  it("truncate answers half of the JSON in a complete message", async () => {
    simulator.fault({ on: "create", kind: "truncate" })
    const { status, text } = await create()
    expect(status).toBe(200)
    expect(text.startsWith("{")).toBe(true)
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(simulator.transactions()).toHaveLength(1)
  })

  it("cut ends the connection in the middle of the body", async () => {
    simulator.fault({ on: "create", kind: "cut" })
    await expect(create()).rejects.toThrow("terminated")
    expect(simulator.transactions()).toHaveLength(1)
  })

  it("html answers a page with 200", async () => {
    simulator.fault({ on: "any", kind: "html" })
    const { status, headers, text } = await create()
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(text).toContain("<h1>")
  })

  it("body answers any JSON with any status", async () => {
    simulator.fault({ on: "create", kind: "body", body: { error: "odd" }, status: 202 })
    expect(await create()).toMatchObject({ status: 202, body: { error: "odd" } })
  })

  it("hang never answers, and close ends it at once", async () => {
    simulator.fault({ on: "create", kind: "hang" })
    const reply = create().then(
      () => "answered",
      () => "cut"
    )
    expect(await Promise.race([reply, delay(150, "waiting")])).toBe("waiting")
    const began = performance.now()
    await simulator.close()
    expect(await reply).toBe("cut")
    expect(performance.now() - began).toBeLessThan(2_000)
  })

  it("stale reads what was true before the last change, one by one and in the export", async () => {
    const id = await created(simulator)
    await simulator.pay(id)
    simulator.fault({ on: "get", kind: "stale" })
    const read = async () => (await call(simulator, "GET", `/transaction/${id}`)).body.status
    expect([await read(), await read()]).toEqual(["PENDING", "CONFIRMED"])

    simulator.fault({ on: "export", kind: "stale" })
    const range = { from: "2000-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z", timeZoneId: "UTC" }
    const { text } = await call(simulator, "POST", "/transaction/export/json", {
      body: { statuses: [], paymentMethods: [], ...range },
    })
    expect(JSON.parse(text)).toMatchObject([{ recordId: id, status: "PENDING" }])
  })

  it("callback_first sends the callback of a new transaction before the reply to its creation", async () => {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url })
    simulator.fault({ on: "create", kind: "callback_first", delayMs: 150 })
    let isAnswered = false
    const reply = create(simulator).finally(() => (isAnswered = true))
    await eventually(() => hook.bodies.length === 1)
    expect(isAnswered).toBe(false)
    const [early] = hook.json()
    expect(early).toMatchObject({ status: "PENDING" })
    expect((await reply).body.transactionId).toBe(early?.transactionId)
  })

  it("meets as many requests as it is told, after those it is told to skip", async () => {
    const id = await created(simulator)
    const read = async () => (await call(simulator, "GET", `/transaction/${id}`)).status
    simulator.fault({ on: "get", kind: "status", skip: 1, times: 2 })
    expect([await read(), await read(), await read(), await read()]).toEqual([200, 500, 500, 200])
    simulator.fault({ on: "get", kind: "status", times: Infinity })
    expect([await read(), await read(), await read()]).toEqual([500, 500, 500])
    expect(simulator.faults()).toHaveLength(1)
    simulator.clearFaults()
    expect(await read()).toBe(200)
  })

  it("can be aimed at one transaction or one path", async () => {
    const [one, other] = [await created(simulator), await created(simulator)]
    simulator.fault({ on: "get", kind: "status", transactionId: other, times: Infinity })
    simulator.fault({ on: "any", kind: "status", status: 502, path: /^\/subscription\/./g })
    simulator.fault({ on: "any", kind: "status", status: 504, path: "/subscription" })
    const status = async (path: string) => (await call(simulator, "GET", path)).status
    expect(await status(`/transaction/${one}`)).toBe(200)
    expect(await status(`/transaction/${other}`)).toBe(500)
    expect(await status("/subscription")).toBe(504)
    expect(await status("/subscription/x")).toBe(502)
  })
})
