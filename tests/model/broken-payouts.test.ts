import { expectViolation } from "./expect-violation"
import type * as Replaceable from "./replaceable"
import { mutant, replace, restore } from "./replaceable"
import { tell } from "./run"
import { storyWithOrderPayouts, storyWithPayouts } from "./stories"

jest.mock("../../src/settlement/decide", () =>
  jest.requireActual<typeof Replaceable>("./replaceable").replaceable("settlement/decide")
)
jest.mock("../../src/settlement/payouts/deeds", () =>
  jest.requireActual<typeof Replaceable>("./replaceable").replaceable("settlement/payouts/deeds")
)
jest.mock("../../src/settlement/payouts/outcome", () =>
  jest.requireActual<typeof Replaceable>("./replaceable").replaceable("settlement/payouts/outcome")
)
jest.mock("../../src/workflows/payouts/draft-payout", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("workflows/payouts/draft-payout")
)
jest.mock("../../src/workflows/payouts/send-payout", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("workflows/payouts/send-payout")
)
jest.mock("../../src/workflows/payouts/lost-payouts", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("workflows/payouts/lost-payouts")
)
jest.mock("../../src/workflows/payouts/pay-back", () =>
  jest.requireActual<typeof Replaceable>("./replaceable").replaceable("workflows/payouts/pay-back")
)

const DEEDS = "settlement/payouts/deeds"
const OUTCOME = "settlement/payouts/outcome"
const DRAFT = "workflows/payouts/draft-payout"
const SEND = "workflows/payouts/send-payout"
const LOST = "workflows/payouts/lost-payouts"
const PAY_BACK = "workflows/payouts/pay-back"

/** The plugin's own functions for payouts with one thing wrong in the source of each. */
const BROKEN: Record<string, [path: string, ...changes: [from: string, to: string][]]> = {
  "the maker approves": [
    DEEDS,
    [
      "if (payout.made_by === reader || editorsOf(payout).includes(reader)) return",
      "if (!payout) return",
    ],
  ],
  "whoever changed it approves": [
    DEEDS,
    [
      "payout.made_by === reader || editorsOf(payout).includes(reader)",
      "payout.made_by === reader",
    ],
  ],
  "nobody has to approve": [
    DEEDS,
    ["if (needsApproval(payout, rules)) return", "if (!payout) return"],
  ],
  "one admin marks alone": [DEEDS, ["if (!rules.approval || isSecond)", "if (payout)"]],
  "an edit leaves the approval": [
    DRAFT,
    ["const isWaiting = approval || payout.row.state", "const isWaiting = payout.row.state"],
    ["      approved_by: null,\n", ""],
  ],
  "the limits are not asked for when it is sent": [
    SEND,
    ["if (!input.again) await requireWithinLimits", "if (!payout) await requireWithinLimits"],
  ],
  "a second request is made while the first is under way": [
    SEND,
    ["if (!isToBeSent(input, row, accounts, admin)) return null", ""],
    ["if (row.attempts !== seen.attempts) return null", ""],
  ],
  "another number is sent with the same key": [
    SEND,
    ["if (input.again) requireSameRequest(seen, ready.marks)", "if (input.again) void 0"],
  ],
  "each request has a key of its own": [
    SEND,
    [
      "client.preparePayout({ cardId, amountRub }, key)",
      "client.preparePayout({ cardId, amountRub }, key + row.attempts)",
    ],
  ],
  "a process that stood still sends it after all": [
    SEND,
    ["ready.account.timeouts.payoutMs > answerBy", "ready.account.timeouts.payoutMs < 0"],
  ],
  "an order may still be placed for money that is paid out": [
    SEND,
    ["if (!paidBack.isHeld && !(await payout.markHandled(paidBack.row.id)))", "if (false)"],
  ],
  "the service is not asked whether it has taken the money back itself": [
    SEND,
    ["await requireStillPaid(ports, accounts, seen, input.again)", "seen.transaction_row_id"],
    ["if (paidBack && paidBack.row.id !== readRowId)", "if (paidBack && readRowId === '')"],
  ],
  "a settle may come between the look at the money and the sending": [
    SEND,
    [
      "await whilePayingBack(ports, purpose, async (paidBack) => {",
      "await (async (work) => work(null))(async (paidBack) => {",
    ],
  ],
  "what other payouts pay back does not matter": [
    PAY_BACK,
    ["if (compareAmounts(amount, left) > 0) {", "if (compareAmounts(amount, paidBack.due) > 0) {"],
  ],
  "a refusal of another request is taken for one of the first": [
    OUTCOME,
    ["if (!isFirst) return", "if (!answer) return"],
  ],
  "an error of the service is taken for a refusal": [
    OUTCOME,
    [
      "const isRefused = httpStatus !== null && REFUSALS.includes(httpStatus)",
      "const isRefused = httpStatus !== null && httpStatus >= 400",
    ],
  ],
  "a time-out is taken for a refusal": [
    OUTCOME,
    ["  if (!isRefused) return", '  if (!isRefused && whyUnknown(answer) !== "no_answer") return'],
  ],
  "a lost payout is taken for refused": [
    LOST,
    ['        state: "unknown",\n', '        state: "rejected",\n'],
  ],
}

describe("the model finds it when", () => {
  afterEach(restore)

  it.each(Object.entries(BROKEN))("%s", async (_, [path, ...changes]) => {
    replace(path, mutant(path, changes))
    await expectViolation(tell, storyWithPayouts)
  })

  it("a payout for an order pays back more than Medusa holds", async () => {
    const change: [from: string, to: string] = [
      "due: heldBeforePayouts(row, held)",
      'due: "1000000"',
    ]
    replace(PAY_BACK, mutant(PAY_BACK, [change]))
    await expectViolation(tell, storyWithOrderPayouts)
  })
})
