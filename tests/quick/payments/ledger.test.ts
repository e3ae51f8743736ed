import { dueOf, type LedgerLine, type OrderAccount } from "../../../src/payments/rules/ledger"

const PAID = "2290"

let minute = 0
const line =
  (kind: LedgerLine["kind"]) =>
  (amount: number): LedgerLine => {
    const at = new Date(Date.UTC(2026, 2, 1, 12, minute++))
    return { kind, amount: String(amount), at }
  }
const [asked, outside, payout] = [line("asked"), line("outside"), line("payout")]
const [waived, accepted] = [line("waived"), line("accepted")]
const TWO_ASKED = [asked(300), asked(200)]
const ASKED_PAID_ASKED = [asked(300), payout(300), asked(300)]
const KEPT = [waived(2290)]
const KEPT_BUT_300 = [...KEPT, asked(300), outside(300)]

const account = (facts: Partial<OrderAccount> & { held?: string; unbooked?: string }) => {
  const { held = PAID, unbooked = "0", ...rest } = facts
  return dueOf({
    isCanceled: false,
    outstanding: "0",
    payments: [{ amount: held, unbooked, isReversed: false }],
    lines: [],
    ...rest,
  })
}

/** Promises 8, 9 and 18: what must go back and what is owed of an order. */
describe("an order's ledger (promise 8)", () => {
  const ofAnother = { ...waived(50), transaction_row_id: "pstx_02" }
  const canceled = { isCanceled: true }
  const isReversed = [{ amount: PAID, unbooked: "0", isReversed: true }]
  type Facts = Parameters<typeof account>[0]
  it.each<[string, outstanding: number, LedgerLine[], back: number, owed: number, Facts?]>([
    ["an even order", 0, [], 0, 0],
    ["digits that differ only in how they are stored", 0.004, [], 0, 0.004],
    ["a debt", 490.5, [], 0, 490.5],
    ["an excess", -500, [], 500, 0],
    ["no more than payments of ours hold", -9000, [], 2290, 0],
    ["nothing that another way has paid", -300, [], 0, 0, { payments: [] }],
    ["a refund that was asked for", 0, [asked(300)], 300, 0],
    ["an excess and a refund of it that was asked for, once", -1990, [asked(1990)], 1990, 0],
    ["an excess beside a smaller goodwill", -500, [asked(300)], 500, 0],
    ["a refund that was asked for beside a debt: two lines", 490.5, [asked(300)], 300, 490.5],
    ["the rest when a part went back", 0, [...TWO_ASKED, outside(350)], 150, 0, { held: "1940" }],
    ["an excess without what is to be booked", -500, [outside(200)], 300, 0, { unbooked: "200" }],
    ["a request after an earlier refund", 0, ASKED_PAID_ASKED, 300, 0, { held: "1990" }],
    ["nothing that a person keeps", -500, [waived(500)], 0, 0],
    ["what came on top of what a person keeps", -700, [waived(500)], 200, 0],
    ["a refund beside what another payment keeps", -50, [asked(300), ofAnother], 300, 0],
    ["what a person does without", 590, [accepted(590)], 0, 0],
    ["what is owed on top of that", 690, [accepted(590)], 0, 100],
    ["more than was asked for, accepted", -10, [waived(10)], 0, 0],
    ["all of a canceled order", -2290, [], 2290, 0, canceled],
    ["the rest of a canceled order", 0, [outside(300)], 1990, 0, { ...canceled, held: "1990" }],
    ["nothing that a person keeps of it", 0, KEPT_BUT_300, 0, 0, { ...canceled, held: "1990" }],
    ["what is asked for of what they keep", 0, [...KEPT, asked(300)], 300, 0, canceled],
    ["nothing that the service took back itself", -2290, [], 0, 0, { payments: isReversed }],
  ])("says of %s", (_, outstanding, lines, back, owed, facts = {}) => {
    const due = account({ outstanding: String(outstanding), lines, ...facts })
    expect({ back: Number(due.back), owed: Number(due.owed) }).toEqual({ back, owed })
  })

  it("shrinks what was accepted when less is owed, so that a later debt is told of in full", () => {
    const lines = [accepted(590)]
    expect(account({ lines, outstanding: "0" }).shrunk).toEqual([
      { kind: "accepted", amount: "-590" },
    ])
    lines.push(accepted(-590))
    expect(account({ lines, outstanding: "490.5" })).toMatchObject({ owed: "490.5", shrunk: [] })
  })

  it("shrinks what a person keeps when there is less of it", () => {
    const lines = [waived(500)]
    expect(account({ lines, outstanding: "-200" }).shrunk).toEqual([
      { kind: "waived", amount: "-300" },
    ])
    expect(account({ lines, outstanding: "-500" }).shrunk).toEqual([])
    expect(account({ lines, outstanding: "0", isCanceled: true }).shrunk).toEqual([])
  })

  it("names the requests that are open, and how much of each", () => {
    const lines = [asked(300), asked(200), payout(350)]
    expect(account({ lines }).asked.map(({ amount }) => amount)).toEqual(["150"])
  })
})
