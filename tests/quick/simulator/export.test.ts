import type { Simulator } from "../../../simulator"
import { call, closeAll, created, running } from "./running-simulator"

afterEach(closeAll)

const START = Date.UTC(2025, 0, 15, 22, 30, 5)
const wide = {
  statuses: [],
  paymentMethods: [],
  from: "2025-01-01T00:00:00Z",
  to: "2025-12-31T23:59:59.999Z",
  timeZoneId: "UTC",
}

async function exported(simulator: Simulator, changes: Record<string, unknown> = {}) {
  const { status, text } = await call(simulator, "POST", "/transaction/export/json", {
    body: { ...wide, ...changes },
    headers: { accept: "text/plain" },
  })
  expect(status).toBe(200)
  return JSON.parse(text) as Record<string, unknown>[]
}

describe("POST /transaction/export/json", () => {
  it.each([
    ["Europe/Moscow", "2025-01-16 01:30:05"],
    ["America/New_York", "2025-01-15 17:30:05"],
  ])("writes times of %s", async (timeZoneId, createdAt) => {
    const simulator = await running({ now: () => START })
    await created(simulator)
    expect(await exported(simulator, { timeZoneId })).toMatchObject([{ createdAt }])
  })

  it("writes midnight as 00", async () => {
    const simulator = await running({ now: () => Date.UTC(2025, 0, 1) })
    await created(simulator)
    expect(await exported(simulator)).toMatchObject([{ createdAt: "2025-01-01 00:00:00" }])
  })

  it("filters by time, status and method", async () => {
    const simulator = await running({ now: () => START, statusCodes: { paid: 20 } })
    const sbp = await created(simulator)
    const crypto = await created(simulator, { paymentMethod: 13 })
    const old = simulator.addTransaction({ amount: 5, createdAt: Date.UTC(2024, 0, 1) }).id
    await simulator.pay(crypto)
    const ids = async (changes: Record<string, unknown>) =>
      (await exported(simulator, changes)).map(({ recordId }) => recordId)
    expect(await ids({})).toEqual([sbp, crypto])
    expect(await ids({ paymentMethods: ["13"] })).toEqual([crypto])
    expect(await ids({ paymentMethods: ["2", "13"] })).toEqual([sbp, crypto])
    expect(await ids({ statuses: ["20"] })).toEqual([crypto])
    expect(await ids({ statuses: ["1"] })).toEqual([sbp])
    expect(await ids({ statuses: ["3"] })).toEqual([])
    expect(await ids({ from: "2025-01-15T22:30:05Z", to: "2025-01-15T22:30:05Z" })).toHaveLength(2)
    expect(await ids({ from: "2025-01-15T22:30:05.001Z" })).toEqual([])
    expect(await ids({ from: "2024-01-01T00:00:00Z", to: "2024-12-31T00:00:00Z" })).toEqual([old])
  })

  const { timeZoneId: _zone, ...withoutZone } = wide
  it.each<[string, unknown]>([
    ["a missing field", withoutZone],
    ["an unknown field", { ...wide, page: 1 }],
    ["numbers for codes", { ...wide, statuses: [1] }],
    ["names for codes", { ...wide, statuses: ["CANCELED"] }],
    ["an unknown status code", { ...wide, statuses: ["99"] }],
    ["an unknown method code", { ...wide, paymentMethods: ["99"] }],
    ["one code that is no list", { ...wide, paymentMethods: "2" }],
    ["a date without a time", { ...wide, from: "2025-01-01" }],
    ["a time that is not UTC", { ...wide, from: "2025-01-01T00:00:00+03:00" }],
    ["a time in milliseconds", { ...wide, to: START }],
    ["a from after the to", { ...wide, from: "2026-01-01T00:00:00Z" }],
    ["an unknown time zone", { ...wide, timeZoneId: "Mars/Olympus" }],
    ["an empty time zone", { ...wide, timeZoneId: "" }],
    ["no JSON", "?"],
  ])("answers 400 to %s", async (_name, body) => {
    const simulator = await running()
    expect((await call(simulator, "POST", "/transaction/export/json", { body })).status).toBe(400)
  })
})

describe("an export as a link", () => {
  it("is a bare address of a file that can be fetched once, without credentials", async () => {
    const simulator = await running({ now: () => START, exportAs: "link" })
    const id = await created(simulator)
    const { headers, text } = await call(simulator, "POST", "/transaction/export/json", {
      body: wide,
    })
    expect(headers.get("content-type")).toContain("text/plain")
    expect(text).toMatch(new RegExp(`^http://localhost:${simulator.port}/files/[0-9a-f-]+\\.json$`))
    const first = await fetch(text)
    expect(await first.json()).toMatchObject([{ recordId: id }])
    expect((await fetch(text)).status).toBe(404)
    expect(simulator.requests().map(({ on }) => on)).toEqual(["create", "export", "file", "file"])
  })
})
