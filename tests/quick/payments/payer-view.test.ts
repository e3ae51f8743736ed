import {
  type PayerState,
  payerState,
  payerView,
  verdictOf,
} from "../../../src/payments/transaction-view"
import type { TransactionRow } from "../../../src/modules/payment-service"
import { TRANSACTION_EXCEPTIONS } from "../../../src/payments/rules/transaction"
import { aTransactionRow } from "../a-row"

const NOT_REPLACED = {
  sum_since: null,
  currency_since: null,
  is_owed_since: null,
  order_since: null,
  open_since: null,
  order_display_id: null,
  asked_id: "pstx_01",
  began_cart: true,
  is_order_first: false,
}
const NUMBERED = { ...NOT_REPLACED, order_display_id: 7 }
const SINCE = {
  currency_since: "eur",
  is_owed_since: true,
  order_since: "order_02",
  open_since: { session_id: "payses_02", method: "crypto" as const },
  order_display_id: 8,
  asked_id: "pstx_01",
  began_cart: true,
  is_order_first: false,
}
const asked = (id: string, cartId: string | null = null) => ({ id, cartId, collectionId: null })

describe("what a payer sees", () => {
  const now = new Date("2026-03-01T12:01:00.000Z")
  const IDS = {
    account: "main",
    payment_collection_id: "pay_col_01",
    deferred_at: null,
  }

  it("is asked for by session id, and shows nothing else of the row", () => {
    const row = { ...aTransactionRow(IDS), ...NUMBERED, id: "pstx_01", cart_id: "cart_01" }
    const view = payerView(row, asked("payses_asked_for"), now)
    expect(view).toEqual({
      id: "payses_asked_for",
      return_id: "pstx_01",
      state: "pending",
      order_id: "order_01",
      order_display_id: 7,
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
      open_attempt: null,
      server_time: "2026-03-01T12:01:00.000Z",
    })
    expect(JSON.stringify(view)).not.toContain("canary")
  })

  it("is how it ended, without order, code or way to pay, for whoever has only the return id", () => {
    const row = { ...aTransactionRow(IDS), ...NUMBERED, id: "pstx_01", cart_id: "cart_01" }
    const { server_time: _, ...told } = payerView(row, asked("pstx_01", "cart_02"), now)
    expect(Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null))).toEqual({
      id: "pstx_01",
      return_id: "pstx_01",
      state: "pending",
      order_display_id: 7,
      method: "sbp",
      amount: "1199.99",
      currency: "RUB",
      reference: "6f1c2f0a",
      payable_again: false,
    })
    expect(payerView(row, asked("pstx_01", "cart_01"), now).order_id).toBe("order_01")
    const ofLink = { ...asked("pstx_01"), collectionId: "pay_col_01" }
    expect(payerView(row, ofLink, now)).toMatchObject({ order_id: null, qr: "https://qr.test/1" })
    expect(payerView(row, { ...ofLink, collectionId: "pay_col_02" }, now).qr).toBeNull()
  })

  it.each([
    ["of a payment link", { cart_id: null }],
    ["that was begun when there was an order", {}],
    ["that resumed a payment of an order placed first", { settled_at: now, is_order_first: true }],
  ])("does not name the order for a session %s, unless its cart is named", (_, patch) => {
    const ofCart = { ...IDS, cart_id: "cart_01", settled_at: null }
    const row = { ...aTransactionRow(ofCart), ...NUMBERED, began_cart: false, ...patch }
    expect(payerView(row, asked("payses_01"), now)).toMatchObject({
      order_id: null,
      order_display_id: 7,
      qr: "https://qr.test/1",
    })
    expect(payerView(row, asked("payses_01", "cart_01"), now).order_id).toBe(
      row.cart_id && "order_01"
    )
    // Where the money came first, nothing is left to pay by a link.
    const paid = { ...row, settled_at: now, is_order_first: false }
    expect(payerView(paid, asked("payses_01"), now).order_id).toBe(row.cart_id && "order_01")
  })

  it("offers a declined payment again for the sum of now, and only while it is owed (promise 6)", () => {
    const row = { ...aTransactionRow({ state: "canceled" }), sum_since: "2399.976", ...SINCE }
    const again = { state: "canceled", amount: "2399.98", currency: "EUR", payable_again: true }
    expect(payerView(row, asked("payses_01"), now)).toMatchObject(again)
    const covered = { ...row, is_owed_since: false }
    expect(payerView(covered, asked("payses_01"), now).payable_again).toBe(false)
  })

  it("is the sum of now, and nothing to pay with, once another attempt has replaced the payment (promise 5)", () => {
    const cart = { order_id: null, cart_id: "cart_01", deferred_at: null }
    const row = { ...aTransactionRow(cart), sum_since: "2399.976", ...SINCE }
    expect(payerView(row, asked("payses_01"), now)).toMatchObject({
      state: "replaced",
      amount: "2399.98",
      currency: "EUR",
      order_id: "order_02",
      redirect: null,
      qr: null,
      payable_again: true,
      open_attempt: { session_id: "payses_02", method: "crypto" },
    })
    expect(payerView(row, asked("pstx_01"), now).open_attempt).toBeNull()
  })
})

describe("a further attempt", () => {
  const isOffered = (patch: Partial<TransactionRow>) =>
    payerView({ ...aTransactionRow(patch), ...NOT_REPLACED }, asked("payses_01"), new Date())
      .payable_again

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
})

it("calls an order that cannot be placed a problem only after several tries", () => {
  const failing = (apply_attempts: number) =>
    payerState(aTransactionRow({ state: "paid", exception: "completion_failed", apply_attempts }))
  expect([1, 3, 4, 20].map(failing)).toEqual(["paid", "paid", "problem", "problem"])
})

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
