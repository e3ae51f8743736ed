import fc from "fast-check"
import type { z } from "zod"
import * as schemas from "../../../src/service/schemas"

const ID = "6f1c2f0a-8a52-4a0e-9f5b-2b6b1b7d9c01"

function value<Schema extends z.ZodType>(schema: Schema, wire: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(wire)
  if (success) return data
  throw new Error(Object.values(schemas.faultOf(error)).join(" "))
}

function fault(schema: z.ZodType, wire: unknown): string {
  const { error } = schema.safeParse(wire)
  return error ? Object.values(schemas.faultOf(error)).join(" ") : "none"
}

const details = { id: ID, status: "PENDING", paymentDetails: { amount: 1199.99, currency: "RUB" } }

describe("transaction details (promise 1)", () => {
  it("need no more than id, status, amount and currency", () => {
    const { id, status, amount, currency, ...rest } = value(schemas.transactionDetails, details)
    expect([id, status, amount, currency]).toEqual([ID, "PENDING", "1199.99", "RUB"])
    expect(new Set(Object.values(rest))).toEqual(new Set([null]))
  })

  it("are cut where a name or a reference is longer than any", () => {
    const long = "x".repeat(1_000_000)
    const cut = `${"x".repeat(199)}…`
    const wire = {
      ...details,
      status: long,
      mechantId: long,
      payload: long,
      paymentDetails: { amount: 1, currency: long },
      qr: long,
      return: long,
    }
    expect(value(schemas.transactionDetails, wire)).toMatchObject({
      status: cut,
      merchantId: cut,
      payload: cut,
      currency: cut.toUpperCase(),
      // An address that was cut would lead elsewhere.
      qr: null,
      returnUrl: null,
    })
    const wide = { ...details, description: `${"x".repeat(198)}\u{1F525}y`, qr: "x".repeat(4_000) }
    expect(value(schemas.transactionDetails, wide)).toMatchObject({
      description: `${"x".repeat(198)}…`,
      qr: wide.qr,
    })
  })

  it("have the right names for the misspelt ones", () => {
    const wire = {
      ...details,
      mechantId: "m-1",
      merchantId: "not this one",
      comission: 12.5,
      comissionUsdt: 1e-7,
      comissionType: 2,
      amountUsdt: 14.25,
      payload: "",
      expiresIn: "00:14:59",
      return: "https://shop.test/ok",
      surprise: { deep: true },
    }
    expect(value(schemas.transactionDetails, wire)).toMatchObject({
      merchantId: "m-1",
      commission: "12.5",
      commissionUsdt: "0.0000001",
      commissionType: 2,
      amountUsdt: "14.25",
      payload: "",
      expiresInSeconds: 899,
      returnUrl: "https://shop.test/ok",
    })
    expect(value(schemas.transactionDetails, wire)).not.toHaveProperty("surprise")
  })

  it("take anything for what is only shown, and no QR that would draw nothing", () => {
    const odd = { comission: "12", comissionType: 1.5, expiresIn: {}, description: [] }
    for (const qr of [1, "", "  "]) {
      const read = value(schemas.transactionDetails, { ...details, ...odd, qr })
      expect(read).toMatchObject({
        ...{ qr: null, commission: null, commissionType: null },
        ...{ expiresInSeconds: null, description: null },
      })
    }
  })

  const pays = (amount: unknown) => ({ paymentDetails: { amount, currency: "RUB" } })
  it.each<[object, string]>([
    [{ id: undefined }, "id is missing"],
    [{ id: "42" }, "id is not as specified"],
    [{ status: "" }, "status is not as specified"],
    [{ status: 3 }, "status is not as specified"],
    [{ paymentDetails: undefined }, "paymentDetails is missing"],
    [{ paymentDetails: "1199.99 RUB" }, "paymentDetails is not as specified"],
    [pays(undefined), "paymentDetails.amount is missing"],
    [pays("1199.99"), "paymentDetails.amount is not"],
    [pays(null), "paymentDetails.amount is not"],
    [pays(Infinity), "paymentDetails.amount is not"],
    [pays(2 ** 54), "paymentDetails.amount is not"],
    [{ paymentDetails: { amount: 1 } }, "paymentDetails.currency is missing"],
    [{ mechantId: 5 }, "mechantId is not as specified"],
    [{ payload: { row: "r" } }, "payload is not as specified"],
  ])("%#: name what is wrong with them: %j", (patch, expected) => {
    expect(fault(schemas.transactionDetails, { ...details, ...patch })).toContain(expected)
  })

  it("do not repeat a wrong value", () => {
    const wire = { ...details, payload: ["Ivan Petrov"] }
    expect(fault(schemas.transactionDetails, wire)).not.toContain("Ivan")
  })
})

describe("a created transaction", () => {
  const created = { transactionId: ID, redirect: "https://pay.test/p/1", status: "PENDING" }

  it("needs id, address and status", () => {
    const none = { expiresInSeconds: null, usdtRate: null }
    expect(value(schemas.createdTransaction, created)).toEqual({ ...created, ...none })
    const full = { ...created, expiresIn: "00:15:00", usdtRate: 92.4 }
    const read = { expiresInSeconds: 900, usdtRate: 92.4 }
    expect(value(schemas.createdTransaction, full)).toMatchObject(read)
    const odd = { ...created, status: "PEN\0DING", expiresIn: "00:15:00\0" }
    expect(JSON.stringify(value(schemas.createdTransaction, odd))).not.toContain("\\u0000")
  })

  it.each([
    ...["javascript:alert(1)", "ftp://pay.test/", "/relative", "", "data:text/html,x", 5, null],
    ...["https://pay.test/a\0b"],
  ])("is never paid at %j", (redirect) => {
    expect(fault(schemas.createdTransaction, { ...created, redirect })).toContain(
      "redirect is not as specified"
    )
  })

  it.each([`${ID}\0`, "../x"])("has no id %j", (transactionId) => {
    expect(fault(schemas.createdTransaction, { ...created, transactionId })).toContain(
      "transactionId is not"
    )
  })
})

it.each([
  ["00:15:00", 900],
  ["1:02:03", 3723],
  ["100:00:01", 360001],
  ["1.02:03:04", 93784],
  ["00:00:59.9990000", 59],
  ["168:00:00", 604_800],
  ["168:00:01", 604_800],
  ["999999.23:59:59", 604_800],
  ["00:60:00", null],
  ["15:00", null],
  ["-00:00:05", null],
  ["", null],
  ["soon", null],
])("a time span of %p is %p seconds", (span, seconds) => {
  expect(schemas.secondsFromTimeSpan(span)).toBe(seconds)
})

describe("other replies", () => {
  const record = {
    recordId: ID,
    createdAt: "2025-11-21 03:32:56",
    amount: 0.1,
    currencyCode: "RUB",
    status: "CANCELED",
    paymentMethod: "SBPQR",
    description: "Order 1",
    payload: "",
  }

  it("an exported record keeps its time as text", () => {
    expect(value(schemas.exportedTransaction, record)).toEqual({ ...record, amount: "0.1" })
    const { currencyCode: _, ...without } = record
    expect(fault(schemas.exportedTransaction, without)).toBe("currencyCode is missing")
  })

  const common = { id: ID, amount: 490, currencyCode: "RUB", intervalCount: 1 }

  it("a subscription has names, an item of the list has codes", () => {
    const one = { ...common, status: "Active", intervalUnit: "Month" }
    const chargeMetrics = { chargesTotal: 3, totalAmount: 980.5, lastChargeAt: null }
    expect(value(schemas.subscription, { ...one, chargeMetrics })).toMatchObject({
      status: "Active",
      amount: "490",
      nextChargeAt: null,
      chargeMetrics: { chargesTotal: 3, totalAmount: "980.5", lastChargeAt: null },
    })
    expect(value(schemas.subscription, { ...one, chargeMetrics: "none" }).chargeMetrics).toBeNull()
    expect(fault(schemas.subscription, { ...one, status: 1 })).toContain("status is not")

    const item = { ...common, status: 1, intervalUnit: 2, chargesCount: 4 }
    const page = { total: 1, page: 1, size: 20 }
    const odd = { id: ID, status: "Active", amount: "490", currencyCode: "", intervalUnit: null }
    const items = [odd, item, { ...item, id: 7 }, null]
    expect(value(schemas.subscriptionPage, { ...page, items })).toMatchObject({
      items: [
        { id: ID, status: null, amount: null, currencyCode: null, intervalUnit: null },
        { status: 1, amount: "490", chargesCount: 4 },
        ...[null, null],
      ],
    })
    expect(fault(schemas.subscriptionPage, { ...page, items: [null] })).toContain(
      "no subscription can be read"
    )
  })

  it("a card needs its id and status", () => {
    const card = { cardId: ID, status: "ACTIVE", last4: "1111", label: "" }
    const cards = [{ ...card, masked: null, brand: null }]
    const odd = [{ status: "ACTIVE" }, card, { ...card, status: 1 }, null, "card"]
    expect(value(schemas.savedCards, odd)).toEqual({ cards, unreadable: 4 })
    expect(value(schemas.savedCards, [])).toEqual({ cards: [], unreadable: 0 })
    expect(fault(schemas.savedCards, [{ status: "ACTIVE" }])).toContain("no card can be read")
  })

  it("a payout needs its id and status", () => {
    const payout = { withdrawalRecordId: ID, status: "CREATED" }
    expect(value(schemas.createdPayout, { ...payout, amountUsdtDebited: 16.4 })).toEqual({
      ...payout,
      cardMasked: null,
      amountUsdtDebited: "16.4",
    })
    const upperCase = { ...payout, withdrawalRecordId: ID.toUpperCase() }
    expect(value(schemas.createdPayout, upperCase)).toMatchObject({ withdrawalRecordId: ID })
    expect(fault(schemas.createdPayout, { status: "CREATED" })).toBe(
      "withdrawalRecordId is missing"
    )
  })
})

it.each([
  [1199.99, "1199.99"],
  [1200, "1200"],
  [0, "0"],
  [-12.5, "-12.5"],
  [1e-7, "0.0000001"],
  [1e21, "1000000000000000000000"],
  [9007199254740991, "9007199254740991"],
])("%p is %p", (value, text) => {
  expect(schemas.decimalFromNumber(value)).toBe(text)
})

it.each([
  ["1199.99", 1199.99],
  ["1200.00", 1200],
  ["0100.50", 100.5],
  ["0.01", 0.01],
  ["999999999999.99", 999999999999.99],
])("%p is sent as %p", (text, value) => {
  expect(schemas.numberFromDecimal(text)).toBe(value)
})

it.each([
  ...["", "0", "0.00", "-1", "+1", "1,5", "1.", ".5", "1e3", "0x1", " 1", "1\n", "NaN", "٣"],
  ...["90071992547409931234.01", "0.1234567890123456789"],
])("%p is refused", (text) => {
  expect(schemas.numberFromDecimal(text)).toBeNull()
})

it("any number is written in digits alone and means the same, however large or small (promise 1)", () => {
  const numbers = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(fc.oneof(numbers, fc.constantFrom(5e-324, 1.7976931348623157e308)), (value) => {
      const text = schemas.decimalFromNumber(value)
      expect(text).toMatch(/^-?\d+(?:\.\d+)?$/)
      expect(Number(text)).toBe(value + 0)
    })
  )
})
