import {
  isToBeSettled,
  standingOf,
  type TransactionException,
  type TransactionState,
} from "../../../src/payments/rules/transaction"
import { aTransactionRow } from "../a-row"

const AT = new Date("2026-01-02T03:04:05Z")

const row = (
  state: TransactionState,
  { exception = null, settled = false, handled = false, seen = true }: Partial<Facts> = {}
) =>
  aTransactionRow({
    state,
    exception,
    exception_at: seen ? AT : new Date(AT.getTime() + 1),
    settled_at: settled ? AT : null,
    handled_at: handled ? AT : null,
  })

interface Facts {
  exception: TransactionException | null
  settled: boolean
  handled: boolean
  /** Whether the exception began before a person took care of the money. */
  seen: boolean
}

describe("where a transaction stands (promise 3)", () => {
  it.each([
    ["expired", { exception: "reversed" }, "over"],
    ["paid", { exception: "completion_failed" }, "waiting_for_medusa"],
    ["paid", { exception: "cart_changed" }, "waiting_for_person"],
    ["paid", { exception: "amount_less" }, "waiting_for_person"],
    ["paid", { settled: true, exception: "reversed" }, "waiting_for_person"],
    ["paid", { handled: true, exception: "reversed", seen: false }, "waiting_for_person"],
    ["expired", { handled: true }, "taken_care_of"],
  ] as [TransactionState, Partial<Facts>, string][])(
    "%s with %j is %s",
    (state, facts, expected) => {
      expect(standingOf(row(state, facts))).toBe(expected)
    }
  )

  it.each([
    ["paid", {}, true],
    ["paid", { exception: "completion_failed" }, true],
    ["paid", { exception: "session_gone" }, true],
    ["paid", { exception: "amount_less" }, false],
    ["paid", { settled: true }, false],
    ["paid", { handled: true }, false],
    ["paid", { handled: true, exception: "cart_changed", seen: false }, false],
    ["pending", {}, false],
    ["expired", {}, false],
  ] as [TransactionState, Partial<Facts>, boolean][])(
    "%s with %j is to be settled: %s",
    (state, facts, expected) => {
      expect(isToBeSettled(row(state, facts))).toBe(expected)
    }
  )
})
