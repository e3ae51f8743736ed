import { call, closeAll, running } from "./running-simulator"

afterEach(closeAll)

const START = Date.UTC(2025, 5, 1)

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
