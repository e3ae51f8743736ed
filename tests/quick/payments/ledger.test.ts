import { dueOf, type LedgerLine, type OrderAccount } from "../../../src/payments/rules/ledger"

const PAID = "2290"

let minute = 0
const line = (kind: LedgerLine["kind"], amount: string): LedgerLine => ({
  kind,
  amount,
  at: new Date(Date.UTC(2026, 2, 1, 12, minute++)),
})

const account = (facts: Partial<OrderAccount> & { held?: string; unbooked?: string }) => {
  const { held = PAID, unbooked = "0", ...rest } = facts
  return dueOf({
    isCanceled: false,
    outstanding: "0",
    payments: [{ amount: held, unbooked, isReversed: false }],
    lines: [],
    withdrawn: "0",
    ...rest,
  })
}

/** Promises 8, 9 and 18: what must go back and what is owed of an order. */
describe("an order's ledger (promise 8)", () => {
  it.each<[string, Parameters<typeof account>[0], string, string]>([
    ["an even order", {}, "0", "0"],
    ["digits that differ only in how they are stored", { outstanding: "0.004" }, "0", "0.004"],
    ["a debt", { outstanding: "490.5" }, "0", "490.5"],
    ["an excess", { outstanding: "-500" }, "500", "0"],
    ["no more than payments of ours hold", { outstanding: "-9000" }, PAID, "0"],
    ["nothing that another way has paid", { outstanding: "-300", payments: [] }, "0", "0"],
    ["a refund that was asked for", { lines: [line("asked", "300")] }, "300", "0"],
    [
      "an excess and a refund of it that was asked for, once",
      { outstanding: "-1990", lines: [line("asked", "1990")] },
      "1990",
      "0",
    ],
    [
      "an excess beside a smaller goodwill",
      { outstanding: "-500", lines: [line("asked", "300")] },
      "500",
      "0",
    ],
    [
      "a refund that was asked for beside a debt: two lines",
      { outstanding: "490.5", lines: [line("asked", "300")] },
      "300",
      "490.5",
    ],
    [
      "the rest of what was asked for, when a part went back",
      { lines: [line("asked", "300"), line("asked", "200"), line("outside", "350")], held: "1940" },
      "150",
      "0",
    ],
    [
      "an excess without what went back and waits for its booking",
      { outstanding: "-500", unbooked: "200", lines: [line("outside", "200")] },
      "300",
      "0",
    ],
    [
      "a request that came after an earlier refund",
      { held: "1990", lines: [line("asked", "300"), line("payout", "300"), line("asked", "300")] },
      "300",
      "0",
    ],
    [
      "nothing that a person keeps",
      { outstanding: "-500", lines: [line("waived", "500")] },
      "0",
      "0",
    ],
    [
      "what came on top of what a person keeps",
      { outstanding: "-700", lines: [line("waived", "500")] },
      "200",
      "0",
    ],
    [
      "a refund that was asked for, whatever more was taken for another payment",
      {
        outstanding: "-50",
        lines: [line("asked", "300"), { ...line("waived", "50"), transaction_row_id: "pstx_02" }],
      },
      "300",
      "0",
    ],
    [
      "nothing that the service confirms again after it was booked as taken back",
      { outstanding: "2780.5", withdrawn: "2290" },
      "0",
      "490.5",
    ],
    [
      "what a person does without",
      { outstanding: "590", lines: [line("accepted", "590")] },
      "0",
      "0",
    ],
    [
      "what is owed on top of that",
      { outstanding: "690", lines: [line("accepted", "590")] },
      "0",
      "100",
    ],
    [
      "more than was asked for, accepted",
      { outstanding: "-10", lines: [line("waived", "10")] },
      "0",
      "0",
    ],
    ["all of a canceled order", { isCanceled: true, outstanding: "-2290" }, PAID, "0"],
    [
      "the rest of a canceled order",
      { isCanceled: true, held: "1990", lines: [line("outside", "300")] },
      "1990",
      "0",
    ],
    [
      "nothing of a canceled order that a person keeps, also after a part of it went back",
      {
        isCanceled: true,
        held: "1990",
        lines: [line("waived", "2290"), line("asked", "300"), line("outside", "300")],
      },
      "0",
      "0",
    ],
    [
      "what is asked for of a canceled order that a person keeps",
      { isCanceled: true, lines: [line("waived", "2290"), line("asked", "300")] },
      "300",
      "0",
    ],
    [
      "nothing that the service took back itself",
      { outstanding: "-2290", payments: [{ amount: PAID, unbooked: "0", isReversed: true }] },
      "0",
      "0",
    ],
  ])("says of %s", (_, facts, back, owed) => {
    const due = account(facts)
    expect({ back: Number(due.back), owed: Number(due.owed) }).toEqual({
      back: Number(back),
      owed: Number(owed),
    })
  })

  it("shrinks what was accepted when less is owed, so that a later debt is told of in full", () => {
    const lines = [line("accepted", "590")]
    expect(account({ lines, outstanding: "0" }).shrunk).toEqual([
      { kind: "accepted", amount: "-590" },
    ])
    lines.push(line("accepted", "-590"))
    expect(account({ lines, outstanding: "490.5" })).toMatchObject({ owed: "490.5", shrunk: [] })
  })

  it("shrinks what a person keeps when there is less of it", () => {
    const lines = [line("waived", "500")]
    expect(account({ lines, outstanding: "-200" }).shrunk).toEqual([
      { kind: "waived", amount: "-300" },
    ])
    expect(account({ lines, outstanding: "-500" }).shrunk).toEqual([])
    expect(account({ lines, outstanding: "0", isCanceled: true }).shrunk).toEqual([])
  })

  it("names the requests that are open, and how much of each", () => {
    const lines = [line("asked", "300"), line("asked", "200"), line("payout", "350")]
    expect(account({ lines }).asked.map(({ amount }) => amount)).toEqual(["150"])
  })
})
