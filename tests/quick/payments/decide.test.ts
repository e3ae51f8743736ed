import type { Action, MedusaState, TransactionRead } from "../../../src/payments/rules/decide"
import {
  EXPIRY_GRACE_MS,
  type Transaction,
  TRANSACTION_STATES,
  type TransactionException,
  type TransactionState,
} from "../../../src/payments/rules/transaction"
import {
  aCart,
  aDecision,
  anOrder,
  aPayment,
  aSession,
  atCheckout,
  EXPIRES_AT,
  judge,
  judgeInWords,
  OTHER_MERCHANT,
} from "./situations"

const NOTHING: Action = { do: "nothing" }
const PLACE_ORDER: Action = {
  do: "place_order",
  cartId: "cart_01",
  cartTotal: "1199.988",
  sessionId: "payses_01",
  reopenSession: false,
}
const AUTHORIZE = {
  do: "authorize",
  sessionId: "payses_01",
  orderId: "order_01",
  isEven: true,
  reopenSession: false,
} satisfies Action
const ADOPT: Action = { do: "adopt", amount: "1199.988", currency: "rub" }
const REOPEN = { reopenSession: true }
const CANCEL_SESSION: Action = { do: "cancel_session", sessionId: "payses_01" }
const CAPTURE = {
  do: "capture",
  paymentId: "pay_01",
  orderId: "order_01",
  isEven: true,
} satisfies Action
const ORDER = anOrder()
const DEARER = aCart({ total: "2399.976" })
/** The words that a person reads when the session is not there. */
const GONE = "replaced or withdrawn"
const FIRST_SUM = "₽1,199.988 were asked for"
const IN_MEDUSA = "the payment was canceled in Medusa"
const CANCELED_LATER = aPayment({ isCanceled: true, isCaptured: true })
const ASKED = "asked for ₽1,199.99"
const PAID_ORDER = anOrder({ owed: "0" })

describe("paid, and all in order", () => {
  it.each(TRANSACTION_STATES)("places the order, whatever our row said before: %s", (state) => {
    expect(judge({ row: { state } })).toEqual(
      aDecision({
        state: "paid",
        sessionStatus: "captured",
        late: state === "canceled" || state === "expired",
        isMoney: true,
        action: PLACE_ORDER,
      })
    )
  })

  it.each(["1199.988", "1199.9900000000000000001", "1199.9899999999998"])(
    "compares to the kopeck: %s was asked for 1199.99 (promise 1)",
    (amount) => {
      expect(judge({ read: { amount } })).toMatchObject({ exception: null, action: PLACE_ORDER })
    }
  )
})

describe("paid, and something differs (promise 1)", () => {
  const OTHERS = "names another reference"
  const mismatches: [string, Partial<TransactionRead>, TransactionException, string][] = [
    ["a kopeck less", { amount: "1199.98" }, "amount_less", `amount ₽1,199.98, ${ASKED}`],
    ["a kopeck more", { amount: "1200.00" }, "amount_more", `amount ₽1,200.00, ${ASKED}`],
    ["nothing", { amount: "0" }, "amount_less", `amount ₽0.00, ${ASKED}`],
    ["negative", { amount: "-1199.99" }, "amount_less", `amount -₽1,199.99, ${ASKED}`],
    ["kopecks for rubles", { amount: "119999" }, "amount_more", "amount ₽119,999.00"],
    ["half a kopeck less", { amount: "1199.984" }, "amount_less", "amount ₽1,199.984"],
    ["another currency", { currency: "USD" }, "currency_differs", "currency USD, asked for RUB"],
    ["no currency", { currency: "" }, "currency_differs", "asked for RUB"],
    ["another merchant", { merchantId: OTHER_MERCHANT }, "merchant_differs", "another merchant"],
    ["no merchant", { merchantId: null }, "merchant_differs", "names no merchant"],
    ["an empty merchant", { merchantId: "" }, "merchant_differs", "names no merchant"],
    ["another reference", { payload: "pstx_02" }, "reference_differs", OTHERS],
    ["no reference", { payload: null }, "reference_differs", "names no reference"],
    ["an empty reference", { payload: "" }, "reference_differs", "names no reference"],
    ["reference in upper case", { payload: "PSTX_01" }, "reference_differs", OTHERS],
    ["more than the reference", { payload: "pstx_01 " }, "reference_differs", OTHERS],
  ]
  it.each(mismatches)("%s: nothing is captured", (_, read, exception, difference) => {
    expect(judgeInWords({ read })).toEqual(
      aDecision({
        state: "paid",
        exception,
        differences: [expect.stringContaining(difference)],
        isMoney: true,
      })
    )
  })

  it("names every difference when all differ, and none of another payer's reference", () => {
    const decision = judgeInWords({
      read: { amount: "1", currency: "USD", merchantId: OTHER_MERCHANT, payload: "their secret" },
    })
    expect(decision.exception).toBe("merchant_differs")
    expect(decision.action).toEqual(NOTHING)
    expect(decision.differences).toEqual([
      "it names another merchant",
      "it names another reference",
      "currency USD, asked for RUB",
      `amount $1.00, ${ASKED}`,
    ])
    expect(decision.differences.join()).not.toContain("their secret")
  })

  it.each([
    ["another amount", { amount: "2399.976" }, "₽2,399.976 are to be paid now"],
    ["a kopeck less", { amount: "1199.984" }, "₽1,199.99 were asked for"],
    ["a kopeck more", { amount: 1200 }, "asked for, and ₽1,200.00 are to be paid now"],
    ["another currency", { currency: "usd" }, "$1,199.988 are to be paid now"],
  ])("a session for %s is not captured", (_, patch, difference) => {
    for (const payment of [null, aPayment()]) {
      const medusa = atCheckout({ session: aSession(patch), payment })
      expect(judgeInWords({ medusa })).toEqual(
        aDecision({
          state: "paid",
          exception: "session_differs",
          differences: [expect.stringContaining(difference)],
          isMoney: true,
        })
      )
    }
  })
})

describe("paid, and Medusa is not as it was", () => {
  it("stays with the person who was asked, even when the cart is as it was again (promise 4)", () => {
    const medusa = atCheckout({ session: null })
    const row = { state: "paid", exception: "session_gone" } as const
    expect(judge({ row, medusa })).toMatchObject({ exception: "session_gone", action: NOTHING })
    const failed = { state: "paid", exception: "completion_failed" } as const
    expect(judge({ row: failed, medusa }).action.do).toBe("adopt")
  })

  const IN_EUROS = aCart({ currency: "eur" })
  const CANCELED = anOrder({ isCanceled: true })
  const WAITING = aSession({ status: "pending_authorization" })
  it.each<[string, Partial<MedusaState>, TransactionException, string]>([
    ["session gone, cart dearer", { session: null, cart: DEARER }, "session_gone", GONE],
    ["session gone, other currency", { session: null, cart: IN_EUROS }, "session_gone", GONE],
    ["session gone, order there", { session: null, order: ORDER }, "session_gone", GONE],
    ["everything gone", { session: null, cart: null }, "session_gone", GONE],
    ["cart dearer", { cart: DEARER }, "cart_changed", `₽2,399.976, and ${FIRST_SUM}`],
    ["cart cheaper by a kopeck", { cart: aCart({ total: "1199.98" }) }, "cart_changed", "1,199.98"],
    ["cart empty", { cart: aCart({ total: 0 }) }, "cart_changed", "is now worth ₽0.00"],
    ["cart in euros", { cart: IN_EUROS }, "cart_changed", "€1,199.988, and"],
    ["cart dearer, authorized", { payment: aPayment(), cart: DEARER }, "cart_changed", "2,399.976"],
    ["order canceled", { order: CANCELED }, "order_canceled", "order order_01 is canceled"],
    ["waiting order canceled", { session: WAITING, order: CANCELED }, "order_canceled", "order_01"],
    [
      "order without a cart canceled",
      { cart: null, order: CANCELED },
      "order_canceled",
      "order_01",
    ],
    [
      "payment canceled",
      { payment: aPayment({ isCanceled: true }) },
      "payment_canceled",
      IN_MEDUSA,
    ],
    ["its order's, too", { payment: CANCELED_LATER, order: ORDER }, "payment_canceled", IN_MEDUSA],
  ])("%s: a person has to look, nothing is done", (_, patch, exception, difference) => {
    const decision = judgeInWords({ medusa: atCheckout(patch) })
    expect(decision).toMatchObject({ state: "paid", exception, action: NOTHING })
    expect(decision.differences).toEqual([expect.stringContaining(difference)])
  })
})

describe("paid, and Medusa already went some of the way", () => {
  const captured = aPayment({ isCaptured: true })
  const settled: Partial<Transaction> = { state: "paid", settled_at: new Date(0) }
  const payment = aPayment()
  const linked = { ...CAPTURE, orderId: null }
  it.each<[string, Partial<Transaction>, Partial<MedusaState>, Action]>([
    ["payment, no order yet", {}, { payment }, PLACE_ORDER],
    ["payment captured, no order yet", {}, { payment: captured }, PLACE_ORDER],
    ["settled once, but the order is not there", settled, { payment: captured }, PLACE_ORDER],
    ["order, placed just now, or before its payment", {}, { order: ORDER }, AUTHORIZE],
    ["order and payment, not captured", {}, { payment, order: PAID_ORDER }, CAPTURE],
    ["captured, nobody told", { state: "paid" }, { payment: captured, order: PAID_ORDER }, CAPTURE],
    ["told, but not captured", settled, { payment, order: PAID_ORDER }, CAPTURE],
    ["all done", settled, { payment: captured, order: PAID_ORDER }, NOTHING],
    ["the cart is gone", settled, { payment: captured, order: PAID_ORDER, cart: null }, NOTHING],
    ["payment link, not captured", {}, { cart: null, payment }, linked],
  ])("%s", (_, row, patch, action) => {
    expect(judge({ row, medusa: atCheckout(patch) })).toEqual(
      aDecision({ state: "paid", sessionStatus: "captured", isMoney: true, action })
    )
  })
})

describe("paid, and there is no session, or no cart to complete", () => {
  const session = aSession({ status: "pending_authorization" })
  const closed = aSession({ status: "canceled" })
  it.each<[string, Partial<MedusaState>, Action]>([
    ["session gone, cart as it was", { session: null }, ADOPT],
    ["order first: the order waits for this payment", { session, order: ORDER }, AUTHORIZE],
    ["an order's (edit, draft)", { cart: null, order: ORDER }, AUTHORIZE],
    ["the same, waiting", { cart: null, session, order: ORDER }, AUTHORIZE],
    ["canceled before", { cart: null, session: closed, order: ORDER }, { ...AUTHORIZE, ...REOPEN }],
    ["collection on its own (payment link)", { cart: null }, { ...AUTHORIZE, orderId: null }],
  ])("%s", (_, patch, action) => {
    expect(judge({ medusa: atCheckout(patch) })).toMatchObject({
      state: "paid",
      exception: null,
      action,
    })
  })
})

describe("paid late, after its session was closed", () => {
  it.each<[string, boolean]>([
    ["canceled", true],
    ["error", true],
    ["pending", false],
    ["requires_more", false],
    ["authorized", false],
  ])("a session %s is reopened: %s", (status, reopenSession) => {
    const session = aSession({ status })
    for (const state of ["canceled", "expired", "pending"] as const) {
      expect(judge({ row: { state }, medusa: atCheckout({ session }) })).toMatchObject({
        state: "paid",
        exception: null,
        sessionStatus: "captured",
        action: { ...PLACE_ORDER, reopenSession },
      })
    }
  })
})

describe("judging without cart and order", () => {
  const holdings = [null, { session: null }, { session: aSession() }]

  const ofMedusa = ["session_gone", "cart_changed", "order_canceled", "payment_canceled"] as const
  it.each<[TransactionException, boolean]>([
    ...[...ofMedusa, "paid_twice", "completion_failed"].map(
      (exception) => [exception as TransactionException, true] as [TransactionException, boolean]
    ),
    ["amount_less", false],
    ["currency_differs", false],
    ["merchant_differs", false],
    ["unknown_status", false],
  ])("%s, which only a look at Medusa can clear, is kept: %s", (exception, isKept) => {
    for (const medusa of holdings) {
      expect(judge({ row: { state: "paid", exception }, medusa }).exception).toBe(
        isKept ? exception : null
      )
    }
  })
})

describe("pending", () => {
  it.each<[TransactionState, TransactionState, string]>([
    ["creating", "pending", "pending"],
    ["refused", "pending", "pending"],
    ["unknown", "pending", "pending"],
    ["pending", "pending", "pending"],
    ["canceled", "canceled", "canceled"],
    ["expired", "expired", "canceled"],
  ])(
    "a row %s is %s then, and also at a status that nobody named",
    (state, after, sessionStatus) => {
      const medusa = atCheckout({ session: aSession({ status: "canceled" }) })
      expect(judge({ row: { state }, read: { status: "Waiting" }, medusa })).toEqual(
        aDecision({ state: after, sessionStatus })
      )
      expect(judgeInWords({ row: { state }, read: { status: "CHARGED" } })).toEqual(
        aDecision({
          state: after,
          exception: "unknown_status",
          differences: ['status "CHARGED" is in none of the configured lists'],
          sessionStatus,
        })
      )
    }
  )

  it("does not take back what an earlier read proved, and what is with a person or settled, at any time", () => {
    const rows: Partial<Transaction>[] = [
      { exception: "amount_less" },
      { exception: "cart_changed" },
      { exception: "reversed" },
      { settled_at: EXPIRES_AT },
      { handled_at: EXPIRES_AT },
    ]
    for (const row of rows) {
      for (const now of [new Date(0), EXPIRES_AT, new Date("2027-01-01T00:00:00Z")]) {
        const decision = judge({ row: { ...row, state: "paid" }, read: { status: "PENDING" }, now })
        expect(decision).toEqual(aDecision({ state: "paid", exception: row.exception ?? null }))
      }
    }
  })

  it("asks a person when it still comes after the time to pay, and nothing was done about the money yet", () => {
    const end = EXPIRES_AT.getTime() + EXPIRY_GRACE_MS
    for (const exception of [null, "completion_failed"] as const) {
      const at = (now: number) =>
        judgeInWords({
          row: { state: "paid", exception },
          read: { status: "PENDING" },
          now: new Date(now),
        })
      expect(at(end - 1)).toMatchObject({ state: "paid", exception, action: NOTHING })
      expect(at(end)).toMatchObject({
        state: "paid",
        exception: "reversed",
        differences: ['the service now calls it "PENDING"'],
        sessionStatus: "pending",
        action: NOTHING,
      })
    }
    const withoutTime = { state: "paid", expires_at: null } as const
    const hourLater = new Date(end + 60 * 60_000)
    expect(judge({ row: withoutTime, read: { status: "PENDING" }, now: hourLater }).exception).toBe(
      "reversed"
    )
  })

  it("believes nothing of what differs in an unpaid transaction", () => {
    const read = { status: "PENDING", amount: "1", currency: "USD", merchantId: null, payload: "x" }
    expect(judge({ read })).toMatchObject({ state: "pending", exception: null, action: NOTHING })
  })
})

describe("expiry by the clock", () => {
  const end = EXPIRES_AT.getTime() + 2 * 60 * 1000

  it.each<[string, number, TransactionState, Action]>([
    ["at its time to pay", EXPIRES_AT.getTime(), "pending", NOTHING],
    ["a millisecond before", end - 1, "pending", NOTHING],
    ["exactly then", end, "expired", CANCEL_SESSION],
    ["a millisecond after", end + 1, "expired", CANCEL_SESSION],
    ["a year after", end + 365 * 86_400_000, "expired", CANCEL_SESSION],
  ])("%s", (_, at, state, action) => {
    const decision = judge({ read: { status: "PENDING" }, now: new Date(at) })
    expect(decision).toEqual(
      aDecision({ state, sessionStatus: state === "expired" ? "canceled" : "pending", action })
    )
  })
})

describe("canceled or expired, as the service says", () => {
  it.each<[string, TransactionState]>([
    ["CANCELED", "canceled"],
    ["Declined", "canceled"],
    ["TooLate", "expired"],
  ])("%s closes the session, so that the shopper can choose again", (status, after) => {
    for (const state of TRANSACTION_STATES.filter((each) => each !== "paid")) {
      expect(judge({ row: { state }, read: { status } })).toEqual(
        aDecision({ state: after, sessionStatus: "canceled", action: CANCEL_SESSION })
      )
    }
  })

  it.each(["CANCELED", "Declined", "TooLate", "TakenBack"])(
    "%s after paid is a reversal, and nothing is undone",
    (status) => {
      const holdings = [
        null,
        atCheckout(),
        atCheckout({ payment: aPayment({ isCaptured: true }), order: ORDER }),
      ]
      for (const exception of [null, "amount_less", "reversed"] as const) {
        for (const medusa of holdings) {
          expect(
            judgeInWords({ row: { state: "paid", exception }, read: { status }, medusa })
          ).toEqual(
            aDecision({
              state: "paid",
              exception: "reversed",
              differences: [`the service now calls it "${status}"`],
            })
          )
        }
      }
    }
  )

  it("reversed, though never seen paid, is closed and looked at", () => {
    expect(judgeInWords({ read: { status: "TakenBack" } })).toEqual(
      aDecision({
        state: "canceled",
        exception: "reversed",
        differences: ['the service now calls it "TakenBack"'],
        sessionStatus: "canceled",
        action: CANCEL_SESSION,
      })
    )
  })
})

describe("nothing silently (promise 4)", () => {
  it("an unknown status does not hide what was wrong with money that came", () => {
    const row = { state: "paid", exception: "amount_less" } as const
    expect(judge({ row, read: { status: "CHARGED" } }).exception).toBe("amount_less")
  })

  // It would never be tried again, and after few attempts nobody has been told of it.
  it("an unknown status is said of an order that could not be placed", () => {
    const row = { state: "paid", exception: "completion_failed" } as const
    expect(judge({ row, read: { status: "CHARGED" } }).exception).toBe("unknown_status")
  })
})
