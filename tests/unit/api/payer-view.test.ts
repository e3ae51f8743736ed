import {
  type PayerState,
  payerState,
  payerView,
} from "../../../src/api/store/payment-service/payer-view"
import type { TransactionRow } from "../../../src/modules/payment-service"
import {
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATES,
} from "../../../src/settlement/transaction-state"
import { aTransactionRow } from "../a-row"

const NOT_REPLACED = {
  sum_since: null,
  currency_since: null,
  is_owed_since: null,
  order_since: null,
}
const SINCE = { currency_since: "eur", is_owed_since: true, order_since: "order_02" }

describe("what a payer sees", () => {
  const now = new Date("2026-03-01T12:01:00.000Z")
  const IDS = { provider_id: "pp_sbp_main", payment_collection_id: "pay_col_01" }

  it("is asked for by session id, and shows nothing else of the row", () => {
    const row = { ...aTransactionRow(IDS), ...NOT_REPLACED }
    const view = payerView(row, "payses_asked_for", now)
    expect(view).toEqual({
      id: "payses_asked_for",
      state: "pending",
      order_id: "order_01",
      redirect: "https://pay.test/1",
      qr: "https://qr.test/1",
      expires_at: "2026-03-01T12:15:00.000Z",
      method: "sbp",
      amount: "1199.99",
      currency: "RUB",
      usdt_rate: "92.5",
      paid_at: null,
      reference: "6f1c2f0a",
      provider_id: "pp_sbp_main",
      payment_collection_id: "pay_col_01",
      payable_again: false,
      server_time: "2026-03-01T12:01:00.000Z",
    })
    expect(JSON.stringify(view)).not.toContain("canary")
  })

  it("is the sum of now, and nothing to pay with, once another attempt has replaced the payment", () => {
    const row = { ...aTransactionRow({ order_id: null }), sum_since: "2399.976", ...SINCE }
    expect(payerView(row, "payses_01", now)).toMatchObject({
      state: "replaced",
      amount: "2399.98",
      currency: "EUR",
      order_id: "order_02",
      redirect: null,
      qr: null,
      payable_again: true,
    })
  })

  it("is null where nothing is known", () => {
    const row = aTransactionRow({ order_id: null, redirect: null, qr: null, expires_at: null })
    expect(payerView({ ...row, ...NOT_REPLACED }, "payses_01", now)).toMatchObject({
      order_id: null,
      redirect: null,
      qr: null,
      expires_at: null,
    })
  })
})

describe("a further attempt", () => {
  const isOffered = (patch: Partial<TransactionRow>) =>
    payerView({ ...aTransactionRow(patch), ...NOT_REPLACED }, "payses_01", new Date()).payable_again

  it.each<[TransactionRow["state"], boolean]>([
    ["pending", false],
    ["paid", false],
    ["canceled", true],
    ["refused", true],
    ["expired", true],
  ])("after %s: %s", (state, offered) => {
    expect(isOffered({ state, order_id: null })).toBe(offered)
  })

  it("is not offered for an order that is canceled because its time is over", () => {
    expect(isOffered({ state: "expired", cart_id: "cart_01", order_id: "order_01" })).toBe(false)
    expect(isOffered({ state: "canceled", cart_id: "cart_01", order_id: "order_01" })).toBe(true)
  })

  it("is offered for what an order is owed besides its cart", () => {
    expect(isOffered({ state: "expired", cart_id: null, order_id: "order_01" })).toBe(true)
  })
})

describe("the state for a payer", () => {
  it.each<[TransactionRow["state"], PayerState]>([
    ["creating", "pending"],
    ["unknown", "pending"],
    ["pending", "pending"],
    ["paid", "paid"],
    ["canceled", "canceled"],
    ["refused", "canceled"],
    ["expired", "expired"],
  ])("%s is %s", (state, shown) => {
    expect(payerState(aTransactionRow({ state }))).toBe(shown)
  })

  it.each([...TRANSACTION_EXCEPTIONS])("paid with %s", (exception) => {
    const shown = exception === "completion_failed" ? "paid" : "problem"
    expect(payerState(aTransactionRow({ state: "paid", exception }))).toBe(shown)
  })

  it("is paid or a problem only for what was read as paid", () => {
    for (const state of TRANSACTION_STATES.filter((each) => each !== "paid")) {
      for (const exception of TRANSACTION_EXCEPTIONS) {
        expect(["paid", "problem"]).not.toContain(payerState(aTransactionRow({ state, exception })))
      }
    }
  })
})

it("calls an order that cannot be placed a problem only after several tries", () => {
  const failing = (apply_attempts: number) =>
    payerState(aTransactionRow({ state: "paid", exception: "completion_failed", apply_attempts }))
  expect([1, 3, 4, 20].map(failing)).toEqual(["paid", "paid", "problem", "problem"])
})
