import { call, closeAll, created, running } from "./running-simulator"

afterEach(closeAll)

const START = Date.UTC(2025, 0, 15, 12, 0, 0)

describe("a transaction", () => {
  it("is read exactly as the table of the specification, misspelt names included", async () => {
    const simulator = await running({ now: () => START, publicUrl: "https://pay.example" })
    const id = await created(simulator)
    const { status, body } = await call(simulator, "GET", `/transaction/${id}`)
    const { externalId, ...rest } = body
    expect(status).toBe(200)
    expect(externalId).toMatch(/^[0-9a-f-]{36}$/)
    expect(rest).toEqual({
      id,
      status: "PENDING",
      paymentDetails: { amount: 1199.99, currency: "RUB" },
      merchantName: "Demo Shop",
      mechantId: simulator.merchantId,
      comission: 36,
      paymentMethod: "SBPQR",
      expiresIn: "00:15:00",
      return: "https://shop.example/ok",
      comissionUsdt: 0.389189,
      amountUsdt: 12.972865,
      qr: `https://pay.example/pay/${id}`,
      payformSuccessUrl: "https://shop.example/ok",
      payload: "ref_1",
      comissionType: 1,
      description: "Order 18",
    })
  })

  it("is kept by a simulator that is given it again, with its id and its time", async () => {
    const before = await running({ now: () => START, expiresInSeconds: 60 })
    const [paid, open] = [await created(before), await created(before)]
    await before.pay(paid)
    const transactions = before.transactions()
    const after = await running({ now: () => START + 30_000, transactions })
    expect(after.transactions()).toEqual(transactions)
    expect((await call(after, "GET", `/transaction/${paid}`)).body.status).toBe("CONFIRMED")
    after.advance(31_000)
    expect(after.transactions().map(({ id, status }) => [id, status])).toEqual([
      [paid, "CONFIRMED"],
      [open, "EXPIRED"],
    ])
  })

  it("can carry a text as QR data", async () => {
    const simulator = await running({ qr: "text" })
    const sbp = simulator.transaction(await created(simulator))
    expect(sbp.qr).toMatch(/^ST00012\|.*Sum=119999$/)
    const crypto = simulator.transaction(await created(simulator, { paymentMethod: 13 }))
    expect(crypto.qr).toContain("?amount=12.972865")
  })

  it("takes any status and any edit", async () => {
    const simulator = await running()
    const id = await created(simulator)
    await simulator.setStatus(id, "ON_HOLD")
    simulator.edit(id, { payload: "other", merchantId: "someone else" })
    expect((await call(simulator, "GET", `/transaction/${id}`)).body).toMatchObject({
      status: "ON_HOLD",
      payload: "other",
      mechantId: "someone else",
    })
  })

  it("hands out copies", async () => {
    const simulator = await running()
    const id = await created(simulator)
    simulator.transaction(id).status = "CONFIRMED"
    expect(simulator.transaction(id).status).toBe("PENDING")
  })

  it("lists in order of creation, with those that no client asked for", async () => {
    const simulator = await running()
    const first = await created(simulator)
    const second = simulator.addTransaction({ amount: 5, payload: "stray" }).id
    expect(simulator.transactions().map(({ id }) => id)).toEqual([first, second])
    expect((await call(simulator, "GET", `/transaction/${second}`)).body.payload).toBe("stray")
  })
})

describe("expiry", () => {
  it("comes with the clock, at the second it was promised for", async () => {
    let now = START
    const simulator = await running({ now: () => now, expiresInSeconds: 90 })
    const id = await created(simulator)
    const read = async () => (await call(simulator, "GET", `/transaction/${id}`)).body
    now += 60_500
    expect(await read()).toMatchObject({ status: "PENDING", expiresIn: "00:00:30" })
    simulator.advance(29_499)
    expect(await read()).toMatchObject({ status: "PENDING", expiresIn: "00:00:01" })
    simulator.advance(1)
    expect(await read()).toMatchObject({ status: "EXPIRED", expiresIn: "00:00:00" })
  })

  it("leaves a paid transaction alone, and one that was set back to pending", async () => {
    const simulator = await running()
    const paid = await created(simulator)
    const back = await created(simulator)
    await simulator.pay(paid)
    simulator.advance(901_000)
    await simulator.setStatus(back, "PENDING")
    expect(simulator.transactions().map(({ status }) => status)).toEqual(["CONFIRMED", "PENDING"])
  })

  it("writes more than a day in hours", async () => {
    const simulator = await running({ expiresInSeconds: 100 * 3600 })
    const id = await created(simulator)
    expect((await call(simulator, "GET", `/transaction/${id}`)).body.expiresIn).toMatch(
      /^(100:00:00|99:59:59)$/
    )
  })
})

describe("two simulators", () => {
  it("know nothing of each other", async () => {
    const [one, other] = [await running(), await running()]
    const id = await created(one)
    expect((await call(other, "GET", `/transaction/${id}`)).status).toBe(404)
  })
})
