import {
  actionsOf,
  brokenLimit,
  judge,
  PAYOUT_STATES,
  type PayoutRules,
  type PayoutToJudge,
  refundParts,
} from "../../../src/payouts/rules/payout"

const payout = (over: Partial<PayoutToJudge> = {}): PayoutToJudge => ({
  state: "draft",
  made_by: "anna",
  edited_by: null,
  approved_by: null,
  sent_by: null,
  ...over,
})
const rules = (over: Partial<PayoutRules> = {}): PayoutRules => ({
  enabled: true,
  approval: false,
  users: ["anna", "boris", "vera"],
  ...over,
})
const APPROVAL = rules({ approval: true })

describe("what may be done with a payout", () => {
  it.each([
    ["draft", ["edit", "send", "discard"]],
    ["awaiting_approval", ["edit", "approve", "discard"]],
    ["sending", []],
    ["created", []],
    ["rejected", []],
    ["unknown", ["send_again", "mark"]],
    ["marked_sent", []],
    ["marked_not_sent", []],
    ["discarded", []],
  ] as const)("%s: %j", (state, actions) => {
    expect(actionsOf(payout({ state }), "boris", rules())).toEqual(actions)
  })

  it("no state but an unsent one is ever sent, and only an unknown one again", () => {
    for (const state of PAYOUT_STATES) {
      for (const approved_by of [null, "boris"]) {
        for (const approval of [true, false]) {
          const one = payout({ state, approved_by })
          const first = judge("send", one, "anna", rules({ approval })) === "do"
          expect(first && state !== "draft").toBe(false)
          if (first && approval) expect(approved_by).toBe("boris")
          const again = judge("send_again", one, "anna", rules({ approval })) === "do"
          expect(again).toBe(state === "unknown")
        }
      }
    }
  })

  it("is approved by nobody who made or changed it (promise 16)", () => {
    const one = payout({ state: "awaiting_approval", edited_by: "boris galina" })
    for (const own of ["anna", "boris", "galina"]) {
      expect(judge("approve", one, own, APPROVAL)).toBe("own_payout")
    }
    expect(judge("approve", one, "vera", APPROVAL)).toBe("do")
  })

  it("is sent by its approver alone only while somebody else who knows it is named (promise 16)", () => {
    const approved = payout({ approved_by: "boris" })
    const without = (...gone: string[]) =>
      rules({ approval: true, users: APPROVAL.users.filter((id) => !gone.includes(id)) })
    expect(judge("send", approved, "boris", APPROVAL)).toBe("do")
    expect(judge("send", approved, "boris", without("anna"))).toBe("maker_not_named")
    expect(judge("send", approved, "vera", without("anna"))).toBe("do")
    const edited = { ...approved, edited_by: "vera" }
    expect(judge("send", edited, "boris", without("anna"))).toBe("do")
    expect(judge("send", edited, "boris", without("anna", "vera"))).toBe("maker_not_named")
  })
})

describe("a mark", () => {
  const unknown = payout({ state: "unknown" })

  it("ends an unknown payout, once", () => {
    expect(judge("mark", unknown, "anna", rules(), true)).toBe("do")
    expect(judge("mark", payout({ state: "marked_sent" }), "anna", rules(), true)).toBe("nothing")
    expect(judge("mark", payout({ state: "marked_sent" }), "anna", rules(), false)).toBe("marked")
    for (const state of ["draft", "sending", "created", "rejected", "discarded"] as const) {
      expect(judge("mark", payout({ state }), "anna", rules(), true)).toBe("not_unknown")
    }
  })

  it("with approval is for somebody else than who sent it", () => {
    const sent = payout({ state: "unknown", edited_by: "clara", sent_by: "dora" })
    expect(judge("mark", sent, "dora", APPROVAL, true)).toBe("own_sending")
    expect(actionsOf(sent, "dora", APPROVAL)).toEqual(["send_again"])
    for (const other of ["anna", "clara", "boris"]) {
      expect(judge("mark", sent, other, APPROVAL, true)).toBe("do")
      expect(actionsOf(sent, other, APPROVAL)).toEqual(["send_again", "mark"])
    }
    expect(judge("mark", sent, "dora", rules(), true)).toBe("do")
  })
})

it("keeps to the limit of a day that was lowered since (promise 16)", () => {
  const broken = brokenLimit(1_000, 60_000, { perPayout: 30_000, perDay: 50_000 })
  expect(broken).toEqual({ code: "above_per_day", left: 0 })
})

describe("a refund as payouts (promise 18)", () => {
  it.each<[left: string, perPayout: number, parts: number[], rest: string]>([
    ["1199.99", 87_500, [1_199], "0.99"],
    // The payer paid 1200.00 of it.
    ["1199.996", 87_500, [1_200], "0"],
    ["1199.99499", 87_500, [1_199], "0.99499"],
    ["200000", 87_500, [87_500, 87_500, 25_000], "0"],
    ["87500", 87_500, [87_500], "0"],
    // The last one alone would be too small.
    ["87500.5", 87_500, [87_500], "0.5"],
    ["88000", 87_500, [87_000, 1_000], "0"],
    ["1500", 1_000, [1_000], "500"],
    ["2000", 1_500, [1_000, 1_000], "0"],
    ["999.99", 87_500, [], "999.99"],
    ["-5", 87_500, [], "0"],
  ])("%s with at most %i each", (left, perPayout, parts, rest) => {
    expect(refundParts(left, perPayout)).toEqual({ parts, rest })
  })
})
