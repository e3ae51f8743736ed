import { call, closeAll, created, creation, running } from "./running-simulator"

afterEach(closeAll)

const START = Date.UTC(2025, 0, 15, 12, 0, 0)

describe("a transaction", () => {
  it("is created with the answer of the specification's table", async () => {
    const simulator = await running({ now: () => START, publicUrl: "https://pay.example/" })
    const { status, body } = await call(simulator, "POST", "/transaction/process", {
      body: creation,
    })
    const { transactionId, ...rest } = body
    expect(status).toBe(200)
    expect(transactionId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(rest).toEqual({
      paymentMethod: "SBPQR",
      redirect: `https://pay.example/pay/${String(transactionId)}`,
      return: "https://shop.example/ok",
      paymentDetails: "1199.99 RUB",
      status: "PENDING",
      expiresIn: "00:15:00",
      merchantId: simulator.merchantId,
      usdtRate: 92.5,
    })
  })

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
})
