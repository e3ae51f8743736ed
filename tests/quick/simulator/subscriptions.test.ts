import { call, closeAll, running, type Json } from "./running-simulator"

afterEach(closeAll)

const START = Date.UTC(2025, 5, 1)

describe("GET /subscription", () => {
  it("answers a page with items in their integer form", async () => {
    const simulator = await running({ now: () => START })
    const { status, body } = await call(simulator, "GET", "/subscription")
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 6, page: 1, size: 20 })
    const items = body.items as Json[]
    expect(items).toHaveLength(6)
    expect(Object.keys(items[0] ?? {}).sort()).toEqual(
      [
        "id status amount currencyCode intervalUnit intervalCount nextChargeAt lastChargeAt",
        "customerEmail description chargesCount createdAt",
      ]
        .join(" ")
        .split(" ")
        .sort()
    )
    expect(items[0]).toMatchObject({
      status: 1,
      intervalUnit: 3,
      nextChargeAt: null,
      lastChargeAt: null,
      customerEmail: null,
      createdAt: "2025-05-31T00:00:00.000417Z",
    })
  })
})

describe("GET /subscription/{id}", () => {
  it("answers the name forms", async () => {
    const simulator = await running({ now: () => START })
    const id = simulator.subscriptions()[1]?.id ?? ""
    const { status, body } = await call(simulator, "GET", `/subscription/${id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      id,
      status: "Active",
      amount: 2490.5,
      currencyCode: "RUB",
      intervalUnit: "Month",
      intervalCount: 2,
      startAt: "2025-03-03T00:00:00.000Z",
      nextChargeAt: "2025-06-13T00:00:00.000Z",
      lastChargeAt: "2025-05-14T00:00:00.000Z",
      description: "Кофе и чай",
      createdAt: "2025-03-03T00:00:00.000Z",
      customerEmail: "payer2@example.com",
      chargeMetrics: {
        chargesTotal: 2,
        chargesSuccess: 2,
        chargesFailed: 0,
        totalAmount: 4981,
        lastChargeAt: "2025-05-14T00:00:00.000Z",
        nextChargeAt: "2025-06-13T00:00:00.000Z",
      },
    })
  })
})
