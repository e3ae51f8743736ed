import type { Simulator } from "../../../simulator"
import { setTimeout as delay } from "node:timers/promises"

import { call, closeAll, created, creation, running } from "./running-simulator"

let simulator: Simulator
beforeEach(async () => {
  simulator = await running()
})
afterEach(closeAll)

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

  it("hang never answers, and close ends it at once", async () => {
    simulator.fault({ on: "create", kind: "hang" })
    const reply = create().then(
      () => "answered",
      () => "cut"
    )
    expect(await Promise.race([reply, delay(150, "waiting")])).toBe("waiting")
    await simulator.close()
    expect(await reply).toBe("cut")
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
