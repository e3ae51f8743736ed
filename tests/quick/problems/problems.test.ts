import {
  QUIET_ATTEMPTS,
  type Transaction,
  TRANSACTION_EXCEPTIONS,
  type TransactionException,
} from "../../../src/payments/rules/transaction"
import {
  actionsFor,
  causeOfStatus,
  causeOfTransaction,
  type FoundProblem,
  PROBLEM_KINDS,
  type ProblemKind,
  problemOf,
  textOf,
} from "../../../src/problems/rules/problems"
import { aRow, MERCHANT, OTHER_MERCHANT } from "../payments/situations"

function troubled(changes: Partial<Transaction> = {}): Transaction {
  return aRow({
    state: "paid",
    status: "Done",
    read_amount: "1199.99",
    read_currency: "RUB",
    apply_attempts: QUIET_ATTEMPTS + 1,
    cart_id: "cart_01",
    ...changes,
  })
}

const messageOf = (found: FoundProblem | null) => (found ? textOf(found).en : "")

const KINDS: Record<TransactionException, ProblemKind> = {
  amount_less: "amount_differs",
  amount_more: "amount_differs",
  currency_differs: "currency_differs",
  merchant_differs: "not_ours",
  reference_differs: "not_ours",
  unknown_status: "unknown_status",
  reversed: "reversed",
  changed_since_handled: "changed_since_handled",
  session_gone: "paid_after_change",
  session_differs: "paid_after_change",
  cart_changed: "paid_after_change",
  order_canceled: "paid_after_change",
  payment_canceled: "paid_without_order",
  paid_twice: "paid_twice",
  completion_failed: "paid_without_order",
}

describe("the problem that a row shows (promise 4)", () => {
  it.each(TRANSACTION_EXCEPTIONS)("of %s has its kind, in time and late", (exception) => {
    for (const paid_late of [false, true]) {
      expect(problemOf(troubled({ exception, paid_late }))?.kind).toBe(KINDS[exception])
    }
  })

  it.each(TRANSACTION_EXCEPTIONS.filter((each) => each !== "unknown_status"))(
    "of %s is one per transaction, and says how much came",
    (exception) => {
      const row = troubled({ exception, read_amount: "1000.50", read_currency: "USD" })
      const found = problemOf(row)
      expect(found?.cause).toBe(causeOfTransaction("pstx_01"))
      expect(messageOf(found)).toContain("$1,000.50")
      expect(messageOf(found)).toMatch(/^\S.*\.$/)
    }
  )

  it("is none for an order that was not tried often enough to ask a person", () => {
    const failed = (apply_attempts: number) =>
      problemOf(troubled({ exception: "completion_failed", apply_attempts }))
    expect(QUIET_ATTEMPTS).toBe(3)
    expect([0, 1, 2, 3].map(failed)).toEqual([null, null, null, null])
    expect(failed(4)?.kind).toBe("paid_without_order")
  })
})

describe("the problem of a status that nobody named (promise 1)", () => {
  const of = (changes: Partial<Transaction>) =>
    problemOf(troubled({ exception: "unknown_status", state: "pending", ...changes }))

  it("is one per name and merchant, whichever transaction shows it", () => {
    const first = of({ id: "pstx_01", status: "CHARGED" })
    expect(of({ id: "pstx_02", status: "CHARGED", amount: "5" })).toEqual(first)
    expect(of({ status: "CHARGED", merchant_id: MERCHANT.toUpperCase() })?.cause).toBe(first?.cause)
    expect(of({ status: "charged" })?.cause).not.toBe(first?.cause)
    expect(of({ status: "CHARGED", merchant_id: OTHER_MERCHANT })?.cause).not.toBe(first?.cause)
    expect(first?.cause).toBe(causeOfStatus(MERCHANT, "CHARGED"))
  })
})

describe("what an admin can do (promise 4)", () => {
  it("is to take another amount only where the amount is what differs", () => {
    const kinds = PROBLEM_KINDS.filter((kind) => actionsFor(kind).includes("accept_amount"))
    expect(kinds).toEqual(["amount_differs"])
  })

  it("is to place an order only where money came in full and for nothing", () => {
    const kinds = PROBLEM_KINDS.filter((kind) => actionsFor(kind).includes("place_order"))
    expect(kinds).toEqual(["paid_without_order", "paid_after_change"])
  })

  it("is never to book money that is another merchant's, or in another currency", () => {
    for (const kind of ["not_ours", "currency_differs"] as const) {
      expect([...actionsFor(kind)].sort()).toEqual(["handle", "retry"])
    }
  })
})
