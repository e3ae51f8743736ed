import { expectViolation } from "./expect-violation"
import type * as Replaceable from "./replaceable"
import { mutant, replace, restore } from "./replaceable"
import { tell } from "./run"
import { storyWithOrderPayouts } from "./stories"

jest.mock("../../src/settlement/decide", () =>
  jest.requireActual<typeof Replaceable>("./replaceable").replaceable("settlement/decide")
)
jest.mock("../../src/transactions/authorize-session", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("transactions/authorize-session")
)
jest.mock("../../src/workflows/settle/apply-action", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("workflows/settle/apply-action")
)
jest.mock("../../src/workflows/settle/apply-decision", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("workflows/settle/apply-decision")
)
jest.mock("../../src/workflows/settle/target-lock", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("workflows/settle/target-lock")
)
jest.mock("../../src/workflows/settle/settle-transaction", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("workflows/settle/settle-transaction")
)
jest.mock("../../src/transactions/open-transaction", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("transactions/open-transaction")
)
jest.mock("../../src/transactions/read-session", () =>
  jest.requireActual<typeof Replaceable>("./replaceable").replaceable("transactions/read-session")
)
jest.mock("../../src/transactions/release-session", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("transactions/release-session")
)
jest.mock("../../src/workflows/problems/accept-payment", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("workflows/problems/accept-payment")
)
jest.mock("../../src/transactions/load-medusa-state", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("transactions/load-medusa-state")
)
jest.mock("../../src/workflows/orders/order-balance", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("workflows/orders/order-balance")
)

jest.mock("../../src/workflows/refunds/book-refund", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("workflows/refunds/book-refund")
)
jest.mock("../../src/transactions/refund-proof", () =>
  jest.requireActual<typeof Replaceable>("./replaceable").replaceable("transactions/refund-proof")
)
jest.mock("../../src/workflows/refunds/take-back-unproven-refunds", () =>
  jest
    .requireActual<typeof Replaceable>("./replaceable")
    .replaceable("workflows/refunds/take-back-unproven-refunds")
)

const OPEN = "transactions/open-transaction"
const RELEASE = "transactions/release-session"
const ACCEPT = "workflows/problems/accept-payment"
const LOAD = "transactions/load-medusa-state"
const BALANCE = "workflows/orders/order-balance"
const AUTHORIZE = "transactions/authorize-session"
const APPLY = "workflows/settle/apply-decision"
const ACT = "workflows/settle/apply-action"
const TARGET = "workflows/settle/target-lock"
const BOOK = "workflows/refunds/book-refund"
const PROOF = "transactions/refund-proof"
const TAKE_BACK = "workflows/refunds/take-back-unproven-refunds"
const SETTLE = "workflows/settle/settle-transaction"
const JUDGE = "transactions/read-session"

/** The plugin's own functions with one thing wrong in the source of each. */
const BROKEN: Record<string, [path: string, ...changes: [from: string, to: string][]]> = {
  "what is proved is left to somebody else": [
    SETTLE,
    ["await applyDecision(ports, accounts, row)", "row"],
  ],
  "each payment is locked for itself": [
    TARGET,
    ["const key = await targetOf(ports, awaited)", "const key = awaited.id"],
    ["(await targetOf(ports, awaited)) === key", "true"],
  ],
  "each collection of an order is locked for itself": [
    TARGET,
    ["cartId ?? orderId ?? payment_collection_id", "payment_collection_id"],
  ],
  "the lock is let go before anything is judged": [
    TARGET,
    ["{ result: await work(awaited) }", "{ result: null }"],
    ["return done.result", "return await work(awaited)"],
  ],
  "Medusa is judged as it was before the lock": [
    APPLY,
    [
      "const work = async (",
      "const early = await loadMedusaState(ports, row)\n  const work = async (",
    ],
    [
      "await applyOnce(ports, accounts, round.row)",
      "await applyOnce(ports, accounts, round.row, early)",
    ],
    [
      "row: TransactionRow\n): Promise<Round> {\n  const { module } = ports\n  const medusa = await loadMedusaState(ports, row)",
      "row: TransactionRow, medusa: MedusaState\n): Promise<Round> {\n  const { module } = ports",
    ],
  ],
  "a refusal is not recorded": [
    APPLY,
    ["await module.transactions.recordRefusal(row, {", "row\n  void ({"],
    ["    pauseMs: isQuiet ? PAUSE_OF_PASSING_MS : growing,\n  })", "  })"],
  ],
  "that Medusa has followed is not recorded": [
    APPLY,
    [
      "await module.transactions.recordProgress(row, {\n        captured: applied.captured ?? false,",
      "row\n      void ({",
    ],
  ],
  "a payment is not captured": [ACT, ["await core.capturePayment(payment.id)", ""]],
  "what was promised is not recorded": [
    AUTHORIZE,
    ["await module.transactions.markDeferred(row.id)", ""],
  ],
  "any order that core makes is taken for what was judged": [
    JUDGE,
    ["total: order.outstanding", "total: session.amount"],
  ],
  "any session that is asked about is paid": [
    AUTHORIZE,
    ["return { row, status }", 'return { row, status: "captured" }'],
  ],
  "a paid payment can be canceled": [
    RELEASE,
    ["if (row && (await holdsMoney(ports, row))) {", "if (!ports) {"],
  ],
  "a session that resumes a payment is not written to its row": [
    OPEN,
    [
      "return await module.transactions.change(resumable.id, { session_id: origin.sessionId })",
      "return resumable",
    ],
  ],
  "it does not matter that another payment can still pay for an order": [
    LOAD,
    ["if (isPayable || hasOtherWay) {", "if (hasOtherWay) {"],
  ],
  "an order's balance is reported to nobody": [
    BALANCE,
    ["if (problem && opens) {", "if (problem) continue\n    if (problem) {"],
  ],
  "what needs a person is not recorded": [
    APPLY,
    ["await recordFailure(module, row, exception, differences)", "row"],
  ],
  "the sum that a person accepts is not recorded": [ACCEPT, ["accepted_amount: amount,", ""]],
  "a refund is proved again by each attempt": [BOOK, ["if (proof && !known) {", "if (proof) {"]],
  "a refund is proved and not booked": [BOOK, ["await bookProofs(ports, row, state)", ""]],
  "only what is proved right now is booked": [
    BOOK,
    ["await bookProofs(ports, row, state)", "if (!known) await bookProofs(ports, row, state)"],
  ],
  "refunds that are booked are booked again": [
    BOOK,
    ["if (booked.some(({ referenceId }) => referenceId === refund.id)) continue", ""],
  ],
  "an order's worth is never lowered by what it was refunded": [
    BOOK,
    ["if (credit !== null) await core.confirmCredit(credit)", ""],
  ],
  "what a canceled order is refunded is not booked on it": [
    BOOK,
    ["    if (order) {\n", "    if (order && !order.canceled) {\n"],
  ],
  "a refund needs no proof": [
    PROOF,
    ["await holdRefunds(ports.module, id, () => refuseUnproven(ports, id, refund))", "null"],
  ],
  "what core books without proof stays": [TAKE_BACK, ["if (unproven.length) {", "if (!ports) {"]],
}

describe("the model finds it when", () => {
  afterEach(restore)

  it.each(Object.entries(BROKEN))("%s", async (_, [path, ...changes]) => {
    replace(path, mutant(path, changes))
    await expectViolation(tell)
  })

  it("our rows are read before the sessions that a shopper chooses meanwhile", async () => {
    const rows = "await transactions.payabilityIn(collectionIds, rowId)"
    const providers = "  const ours = await transactions.providersIn(collectionIds)"
    const changes: [string, string][] = [
      [rows, "early"],
      [providers, `  const early = ${rows}\n${providers}`],
    ]
    replace(LOAD, mutant(LOAD, changes))
    await expectViolation(tell, storyWithOrderPayouts)
  })
})
