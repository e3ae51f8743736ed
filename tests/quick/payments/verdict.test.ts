import { verdictOf } from "../../../src/payments/transaction-view"
import { aTransactionRow } from "../a-row"

const OPENED = new Date("2026-01-02T03:00:00Z")
const minutes = (count: number) => new Date(OPENED.getTime() + count * 60_000)

/** The verdict, some minutes after the opening, on an open payment that can be paid for 15 minutes. */
function verdictAfter(now: number, lastAnswer: number | null) {
  const row = aTransactionRow({
    state: "pending",
    opened_at: OPENED,
    expires_at: minutes(15),
    read_at: lastAnswer === null ? null : minutes(lastAnswer),
  })
  return verdictOf(row, minutes(now))
}

describe("the verdict on an open payment", () => {
  it.each([
    [10, null, "not_paid_yet"],
    [16, 14, "not_paid_yet"],
    // Its last answer is older than the end of its time, so money may have come since.
    [20, 14, "uncertain"],
    [20, null, "uncertain"],
    [20, 18, "not_paid"],
  ])("after %s minutes, asked about at %s, is %s", (now, lastAnswer, kind) => {
    expect(verdictAfter(now, lastAnswer).kind).toBe(kind)
  })

  it("does not say that nothing was paid while the service has not answered (promise 1)", () => {
    const { messages } = verdictAfter(20, 14)
    expect(messages.en).not.toMatch(/nothing was paid/i)
    expect(messages.ru).not.toMatch(/оплаты не было/i)
  })
})
