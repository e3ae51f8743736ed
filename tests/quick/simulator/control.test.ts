import type { Simulator } from "../../../simulator"
import {
  call,
  closeAll,
  created,
  creation,
  receiver,
  running,
  type Json,
} from "./running-simulator"

let simulator: Simulator
beforeEach(async () => {
  simulator = await running()
})
afterEach(closeAll)

async function control(simulator: Simulator, method: string, path: string, body?: unknown) {
  const reply = await call(simulator, method, `/__simulator${path}`, { body, key: false })
  return { status: reply.status, body: JSON.parse(reply.text) as Json & Json[] }
}

describe("the control routes (promise 24)", () => {
  it("list, show and seed transactions", async () => {
    const seeded = await control(simulator, "POST", "/transactions", { amount: 7, times: 3 })
    expect(seeded.body).toHaveLength(3)
    const id = await created(simulator)
    const { body } = await control(simulator, "GET", "/transactions")
    expect(body.map(({ amount }) => amount)).toEqual([7, 7, 7, 1199.99])
    const one = await control(simulator, "GET", `/transactions/${id}`)
    expect(one.body).toMatchObject({ id, payload: "ref_1" })
    expect((await control(simulator, "GET", "/transactions/unknown")).status).toBe(404)
  })

  it("pay, answer after the callback, and pay another amount, silently or without waiting", async () => {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url })
    const id = await created(simulator)
    const act = (action: string, body?: object) =>
      control(simulator, "POST", `/transactions/${id}/${action}`, body)
    await act("pay", { amount: 1, callback: false })
    expect(hook.bodies).toEqual([])
    expect(simulator.transaction(id)).toMatchObject({ amount: 1, status: "CONFIRMED" })
    expect(await act("decline")).toMatchObject({ status: 200, body: { id, status: "CANCELED" } })
    expect(hook.json()).toMatchObject([{ status: "CANCELED" }])
    await control(simulator, "PUT", "/callback", { delayMs: 60_000 })
    expect(await act("reverse", { wait: false })).toMatchObject({ status: 200 })
  })

  it("set any status, edit, and send callbacks", async () => {
    const hook = await receiver(503)
    const id = await created(simulator)
    await control(simulator, "PUT", "/callback", { url: hook.url, body: "array" })
    await control(simulator, "POST", `/transactions/${id}/status`, { status: "ODD" })
    await control(simulator, "POST", `/transactions/${id}/edit`, { payload: "p", currency: "USD" })
    expect(simulator.transaction(id)).toMatchObject({
      status: "ODD",
      payload: "p",
      currency: "USD",
    })
    const sent = await control(simulator, "POST", `/transactions/${id}/callback`, { times: 2 })
    expect(sent.body).toEqual({ statuses: [503, 503] })
    const raw = await control(simulator, "POST", "/callback", { body: { id: "unknown" } })
    expect(raw.body).toEqual({ statuses: [503] })
    const told = [[{ id, status: "ODD" }], [{ id }], [{ id }], { id: "unknown" }]
    expect(hook.json()).toMatchObject(told)
    expect((await control(simulator, "GET", "/callbacks")).body).toHaveLength(4)
  })

  it("duplicate, drop, delay and reorder callbacks", async () => {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url })
    const id = await created(simulator)
    simulator.setCallbackMode({ duplicate: 2 })
    await simulator.pay(id)
    expect(hook.bodies).toHaveLength(3)
    simulator.setCallbackMode({ duplicate: 0, drop: true })
    await simulator.reverse(id)
    expect(hook.bodies).toHaveLength(3)
    simulator.setCallbackMode({ drop: false, delayMs: 120 })
    const told = simulator.decline(id)
    expect(hook.bodies).toHaveLength(3)
    await told
    expect(hook.json()[3]).toMatchObject({ status: "CANCELED" })
    simulator.setCallbackMode({ delayMs: 0, reorder: true })
    await simulator.decline(id)
    await simulator.pay(id)
    expect(
      hook
        .json()
        .slice(4)
        .map(({ status }) => status)
    ).toEqual(["CONFIRMED", "CANCELED"])
  })

  it("change settings and set the clock ahead", async () => {
    await control(simulator, "PUT", "/settings", { requireUserId: true, exportAs: "link" })
    await expect(created(simulator)).rejects.toThrow("metadata.userId")
    const id = await created(simulator, { metadata: { userId: "u" } })
    await control(simulator, "POST", "/clock", { advanceMs: 900_000 })
    expect(simulator.transaction(id).status).toBe("EXPIRED")
  })

  it.each([
    ["POST", "/faults", { on: "get", kind: "explode" }],
    ["POST", "/clock", {}],
    ["PUT", "/settings", { merchantId: "x" }],
    ["PUT", "/callback", { url: 1 }],
  ])("answer 400 to %s %s %j", async (method, path, body) => {
    expect((await control(simulator, method, path, body)).status).toBe(400)
  })

  it("are asked with the simulator's password where it has one, as its pages are, and the service's endpoints without", async () => {
    const simulator = await running({ host: "0.0.0.0", password: "pass:wörd" })
    const id = await created(simulator)
    const basic = (words: string) => ({
      authorization: `Basic ${Buffer.from(words).toString("base64")}`,
    })
    const asked = [
      ["GET", "/"],
      ["GET", `/pay/${id}`],
      ["POST", `/pay/${id}/decline`],
      ["GET", "/__simulator"],
      ["POST", `/__simulator/transactions/${id}/pay`],
    ] as const
    for (const [method, path] of asked) {
      for (const headers of [{}, basic("any:other"), basic("pass:wörd"), basic("any:")]) {
        const { status, headers: answered } = await call(simulator, method, path, { headers })
        expect({ path, status }).toEqual({ path, status: 401 })
        expect(answered.get("www-authenticate")).toMatch(/^Basic /)
      }
    }
    expect(simulator.transaction(id).status).toBe("PENDING")
    for (const [method, path] of asked) {
      const { status } = await call(simulator, method, path, { headers: basic("any:pass:wörd") })
      expect({ path, isAnswered: status < 400 }).toEqual({ path, isAnswered: true })
    }
    expect(simulator.transaction(id).status).toBe("CONFIRMED")
  })
})

it("a simulator that is given transactions again has them, with their ids and times", async () => {
  const now = Date.UTC(2025, 0, 15, 12)
  const before = await running({ now: () => now, expiresInSeconds: 60 })
  const [paid, open] = [await created(before), await created(before)]
  await before.pay(paid)
  const transactions = before.transactions()
  const after = await running({ now: () => now + 30_000, transactions })
  expect(after.transactions()).toEqual(transactions)
  after.advance(31_000)
  expect(after.transaction(paid).status).toBe("CONFIRMED")
  expect(after.transaction(open).status).toBe("EXPIRED")
})

const create = (of = simulator) => call(of, "POST", "/transaction/process", { body: creation })

describe("a fault (promise 24)", () => {
  it.each<[fault: object, answered: object | string, made: number]>([
    [{ kind: "drop_before" }, "fetch failed", 0],
    [{ kind: "drop_after" }, "fetch failed", 1],
    [{ kind: "cut" }, "terminated", 1],
    [{ kind: "status" }, { status: 500 }, 0],
    [{ kind: "status", status: 503, applied: true }, { status: 503 }, 1],
    [{ kind: "html" }, { status: 200, text: expect.stringContaining("<h1>") }, 0],
    [{ kind: "truncate" }, { status: 200, text: expect.stringMatching(/^\{[^}]*$/) }, 1],
    [{ kind: "body", body: { odd: 1 }, status: 202 }, { status: 202, body: { odd: 1 } }, 0],
  ])("%j: one creation is answered with %j, and %i are made", async (fault, answered, made) => {
    simulator.fault({ on: "create", ...fault } as Parameters<Simulator["fault"]>[0])
    const answer = await create().catch((error: unknown) => (error as Error).message)
    if (typeof answered === "string") expect(answer).toBe(answered)
    else expect(answer).toMatchObject(answered)
    expect(simulator.transactions()).toHaveLength(made)
    expect(simulator.requests({ on: "create" })).toHaveLength(1)
    expect((await create()).status).toBe(200)
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
})
