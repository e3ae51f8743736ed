import {
  type AskedRefund,
  openRequests,
  refundDue,
  type Refundable,
} from "../../../src/settlement/refund-due"

const asked = (...amounts: string[]): AskedRefund[] =>
  amounts.map((amount, index) => ({ amount, at: `2026-03-01T12:00:0${index}Z` }))

const due = (changes: Partial<Refundable>) =>
  refundDue({ asked: [], held: "1199.988", isAllDue: false, isReversed: false, ...changes })

describe("what is to be paid back", () => {
  it.each<[string, Partial<Refundable>, string]>([
    ["nothing", {}, "0"],
    ["what was asked for", { asked: asked("300") }, "300"],
    ["the sum of two requests", { asked: asked("300", "200") }, "500"],
    ["what is left of it", { asked: asked("300", "200", "-300") }, "200"],
    ["what was asked for after all went back", { asked: asked("300", "-300", "100") }, "100"],
    ["never more than Medusa holds", { asked: asked("800", "800") }, "1199.988"],
    ["nothing of what Medusa does not hold", { asked: asked("300"), held: "0" }, "0"],
    ["nothing below half a kopeck", { asked: asked("0.004") }, "0"],
    ["half a kopeck", { asked: asked("0.005") }, "0.005"],
    ["all of a canceled order", { isAllDue: true }, "1199.988"],
    ["all of it, whatever was asked for", { isAllDue: true, asked: asked("300") }, "1199.988"],
    ["nothing that was taken back", { isAllDue: true, isReversed: true }, "0"],
    ["nothing that was taken back and asked for", { asked: asked("300"), isReversed: true }, "0"],
  ])("%s", (_, refundable, expected) => {
    expect(due(refundable)).toBe(expected)
  })
})

describe("requests that are open", () => {
  it.each<[string[], string[]]>([
    [[], []],
    [["300"], ["300"]],
    [
      ["300", "300"],
      ["300", "300"],
    ],
    [
      ["300", "200", "-300"],
      ["300", "200"],
    ],
    [["300", "-300", "100"], ["100"]],
    [["300", "-300"], []],
  ])("of %j are %j", (amounts, open) => {
    expect(openRequests(asked(...amounts)).map(({ amount }) => amount)).toEqual(open)
  })
})
