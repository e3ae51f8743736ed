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

  it("pages without a gap or a repetition", async () => {
    const simulator = await running()
    const ids: unknown[] = []
    for (const page of [1, 2, 3]) {
      const { body } = await call(simulator, "GET", `/subscription?page=${page}&size=2`)
      expect(body).toMatchObject({ total: 6, page, size: 2 })
      ids.push(...(body.items as Json[]).map(({ id }) => id))
    }
    expect(new Set(ids).size).toBe(6)
    const { body } = await call(simulator, "GET", "/subscription?page=4&size=2")
    expect(body).toMatchObject({ items: [], total: 6 })
  })

  it("filters by status and time of creation", async () => {
    const simulator = await running({ now: () => START })
    const total = async (query: string) =>
      (await call(simulator, "GET", `/subscription?${query}`)).body.total
    expect(await total("status=1")).toBe(4)
    expect(await total("status=4")).toBe(1)
    expect(await total("status=9")).toBe(0)
    expect(await total("from=2025-04-15T00%3A00%3A00Z")).toBe(3)
    expect(await total("to=2025-01-01T00%3A00%3A00.000Z")).toBe(1)
  })

  it.each(["status=Active", "status=", "page=-1", "page=1.5", "from=2025-01-01"])(
    "answers 400 to ?%s",
    async (query) => {
      const simulator = await running()
      expect((await call(simulator, "GET", `/subscription?${query}`)).status).toBe(400)
    }
  )
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
