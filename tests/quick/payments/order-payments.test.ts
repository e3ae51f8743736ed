import type { TransactionRow } from "../../../src/modules/payment-service"
import { paymentToOffer, withMoneyFirst } from "../../../src/payments/rules/transaction"
import { aTransactionRow } from "../a-row"

const NOW = new Date("2026-03-01T12:10:00Z")
const minute = (number: number) => new Date(`2026-03-01T12:0${number}:00Z`)

const payment = (id: string, opened: number, patch: Partial<TransactionRow> = {}) =>
  aTransactionRow({ id: `pstx_${id}`, opened_at: minute(opened), ...patch })
const paid = { state: "paid" } as const
const settled = { ...paid, settled_at: minute(9) }
const handled = { ...paid, handled_at: minute(9) }
const wrong = { ...paid, exception: "amount_less" } as const
const canceled = { state: "canceled" } as const
const TWICE = payment("twice", 2, wrong)

const namesOf = (rows: TransactionRow[]) => rows.map(({ id }) => id.slice("pstx_".length))

describe("the payment that says what became of an order (promise 19)", () => {
  const last = payment("later", 3)
  it.each([
    ["the newest of unpaid ones", [payment("old", 1), payment("new", 2)], "new old"],
    [
      "the one that Medusa has",
      [last, payment("has", 2, settled), payment("old", 1)],
      "has later old",
    ],
    ["one that waits for Medusa", [last, payment("waits", 1, paid)], "waits later"],
    ["one that a person has to look at", [last, payment("less", 1, wrong)], "less later"],
    ["the newest with money", [payment("one", 1, settled), TWICE, last], "twice one later"],
    [
      "none that was taken care of",
      [payment("again", 2), payment("done", 1, handled)],
      "again done",
    ],
  ])("is %s", (_, payments, names) => {
    expect(namesOf(withMoneyFirst(payments)).join(" ")).toBe(names)
  })
})

describe("the payment that a customer may be asked to pay (promise 5)", () => {
  const [open, older] = [payment("open", 2), payment("older", 1)]
  it.each<[string, TransactionRow[], string | null, string | undefined]>([
    ["the newest that can be paid", [older, open, payment("no", 3, canceled)], "1199.99", "open"],
    ["none after its time", [payment("late", 2, { expires_at: minute(3) })], "1199.99", undefined],
    ["none of a canceled order", [open], null, undefined],
    ["none when the order is paid", [open, payment("has", 1, settled)], "0", undefined],
    ["none that asks for more than is owed", [open, payment("has", 1, settled)], "1000", undefined],
    [
      "the one for what an order owes beside what was paid",
      [open, payment("has", 1, settled)],
      "1199.985",
      "open",
    ],
    ["none while money waits for Medusa", [open, payment("paid", 1, paid)], "1199.99", undefined],
    ["none while a person has to look", [open, payment("less", 1, wrong)], "1199.99", undefined],
    ["one after money that was taken care of", [open, payment("h", 1, handled)], "1199.99", "open"],
  ])("is %s", (_, payments, owed, name) => {
    const found = paymentToOffer(payments, owed, NOW)
    expect(found ? namesOf([found])[0] : undefined).toBe(name)
  })
})
