import { BigNumber as MedusaBigNumber } from "@medusajs/framework/utils"

import { subtractAmounts } from "../../../src/settlement/amount"
import {
  balanceProblem,
  isOwed,
  type OrderBalance,
  partOfExcess,
} from "../../../src/settlement/order-balance"
import { textOf } from "../../../src/settlement/problems"

const PAID: Omit<OrderBalance, "paid"> = {
  name: "#7",
  orderId: "order_01",
  currency: "rub",
  worth: "1199.988",
  outstanding: "0",
  accepted: "0",
}

function problemOf(patch: Partial<OrderBalance>) {
  const order = { ...PAID, ...patch }
  return balanceProblem({ ...order, paid: subtractAmounts(order.worth, order.outstanding) })
}

/** With what it says instead of its facts. */
function said(patch: Partial<OrderBalance>) {
  const problem = problemOf(patch)
  if (!problem) return null
  const { facts, ...found } = problem.found
  const message = textOf({ ...found, facts }).en
  return { ...problem, found: { ...found, message } }
}

it("has nothing to say of an order that is paid", () => {
  expect(problemOf({})).toBeNull()
})

it.each(["0.005", "-0.005", "0.002", "-0.00499999", 0, "-0"])(
  "lets sums differ by how Medusa stores their digits: %s",
  (outstanding) => {
    expect(problemOf({ outstanding })).toBeNull()
  }
)

it.each([
  ["0.0051", true],
  ["0.01", true],
  ["0.005", false],
  ["0", false],
  ["-490.5", false],
])("has nothing left to pay of less than a coin: %s", (owed, isLeft) => {
  expect(isOwed(owed)).toBe(isLeft)
})

it.each([
  // A refund of all but 0.988 lowered the order's worth, and an edit did, too.
  ["-1099", "-1099.988", "0.988"],
  ["100", "-0.988", "0.988"],
  ["-150.505", "-150.505", undefined],
])("asks to pay back no more than was paid: worth %s, owed %s", (worth, outstanding, amount) => {
  expect(problemOf({ worth, outstanding })?.amount).toBe(amount)
})

describe("an excess of which a payment holds", () => {
  const excess = problemOf({ outstanding: "-490.5" })
  if (!excess) throw new Error("It is an excess")

  it("all is about all of it", () => {
    expect(partOfExcess(excess, "490.5")).toEqual(excess)
    expect(partOfExcess(excess, "1199.99")).toEqual(excess)
  })

  it("a part is about that part, and says so", () => {
    const { found, amount } = partOfExcess(excess, "300")
    expect(amount).toBe("300")
    expect(found.cause).toBe(excess.found.cause)
    expect(textOf(found).en).toMatch(/490\.50 RUB too much\. .*the 300 RUB of it/)
    expect(textOf(found).ru).toContain("о 300\u00a0₽ из неё")
  })
})

it("names what is owed, with both sums", () => {
  expect(said({ worth: "62180.5", outstanding: "61690" })).toEqual({
    found: {
      kind: "order_underpaid",
      cause: "balance:order_01",
      message: expect.stringMatching(
        /^Order #7 is worth 62,180\.50 RUB, and 490\.50 RUB were paid: 61,690 RUB are owed\./
      ) as string,
    },
    amount: "61690",
  })
})

it.each([
  // 1199.99 were asked for, 99 were paid, and a person took them for an order of 100.
  { worth: "100", outstanding: "1", accepted: "1100.99", left: null },
  { worth: "100", outstanding: "0", accepted: "1100.99", left: null },
  { worth: "100", outstanding: "-50", accepted: "1100.99", left: "-50" },
  { worth: "100", outstanding: "50", accepted: "20", left: "30" },
  { worth: "100", outstanding: "50", accepted: "-300", left: "50" },
  { worth: "100", outstanding: "-300", accepted: "-300", left: null },
  { worth: "100", outstanding: "-310", accepted: "-300", left: "-10" },
  { worth: "100", outstanding: "-290", accepted: "-300", left: null },
])(
  "an accepted sum explains what is outstanding, and never turns it round: $outstanding, $accepted",
  ({ left, ...patch }) => {
    const found = problemOf(patch)
    const sign = found?.found.kind === "paid_twice" ? "-" : ""
    expect(found && `${sign}${found.amount}`).toBe(left)
  }
)

it("names what was paid too much, with both sums", () => {
  expect(said({ worth: "2290", outstanding: "-2290" })).toEqual({
    found: {
      kind: "paid_twice",
      cause: "balance:order_01",
      message: "Order #7 is worth 2,290 RUB, and 4,580 RUB were paid: 2,290 RUB too much.",
    },
    amount: "2290",
  })
})

it.each<[string, string, string]>([
  ["0.00500001", "order_underpaid", "0.00500001"],
  ["0.01", "order_underpaid", "0.01"],
  ["-0.00500001", "paid_twice", "0.00500001"],
  ["-0.01", "paid_twice", "0.01"],
])("finds %s outstanding, a kopeck when it is rounded", (outstanding, kind, amount) => {
  expect(problemOf({ outstanding })).toMatchObject({ found: { kind }, amount })
})

it.each<[string, string, string | null]>([
  ["100", "100", null],
  ["100", "99.995", null],
  ["-100", "-100", null],
  ["100", "60", "order_underpaid"],
  ["100", "140", null],
  ["0", "40", null],
  ["0", "-40", null],
  ["-100", "-60", "paid_twice"],
  ["100", "-100", "order_underpaid"],
])("%s are outstanding where a person accepted %s: %s", (outstanding, accepted, kind) => {
  expect(problemOf({ outstanding, accepted })?.found.kind ?? null).toBe(kind)
})

it("tells of what nobody accepted, and not of all that is missing", () => {
  expect(problemOf({ outstanding: "100", accepted: "60" })?.amount).toBe("40")
  expect(problemOf({ outstanding: "-100", accepted: "-60" })?.amount).toBe("40")
  expect(problemOf({ outstanding: "100", accepted: "-100" })?.amount).toBe("100")
})

it("reads Medusa's own numbers, digit by digit", () => {
  const outstanding = new MedusaBigNumber("0.30000000000000000001")
  expect(problemOf({ outstanding, accepted: "0.3" })).toBeNull()
  expect(problemOf({ outstanding, accepted: "0.29" })?.amount).toBe("0.01000000000000000001")
})
