import type { FactsOf, PaidFacts, ProblemKind } from "../src/problems/rules/problems"
import type { Reason, Refusal } from "../src/problems/rules/reasons"

const ASKED = { amount: "2290.00", currency: "RUB" }
const CAME = { amount: "12000.5", currency: "RUB" }
const REFUSED: Refusal = { code: "out_of_stock", detail: "Not enough stock" }
const UNNAMED: Refusal = { code: "other", detail: "Tickets are sold out" }
const GONE: Reason = { what: "session_gone" }
const MERCHANT = "0A1B2C3D-4000-4000-8000-000000000001"
const PLACE = { baseUrl: "https://pay.test", merchantId: MERCHANT }
const OURS = { row: "pstx_01", transaction: "6f1c2f0a" }
const RECORD = { ...PLACE, record: "record_01", listed: { ...CAME, status: "Done" } }
const AT = "2026-03-01T12:00:00.000Z"

const paid = (...exceptions: PaidFacts["exception"][]): PaidFacts[] =>
  exceptions.flatMap((exception) =>
    [[], [REFUSED], [UNNAMED, GONE]].map((reasons) => ({
      row: "pstx_01",
      exception,
      asked: ASKED,
      paid: CAME,
      reasons,
      late: reasons.length === 0,
    }))
  )
const CHANGED = ["session_gone", "session_differs", "cart_changed"] as const

/** Facts of each kind of problem, of every form that its text knows. */
export const PROBLEM_SAMPLES: { [Kind in ProblemKind]: FactsOf<Kind>[] } = {
  paid_without_order: paid("completion_failed", "payment_canceled"),
  paid_after_change: paid(...CHANGED, "order_canceled"),
  paid_twice: [
    ...paid("paid_twice"),
    ...(["order_paid", "promised_otherwise", "nothing_owed"] as const).map((what) => ({
      row: "pstx_01",
      exception: "paid_twice" as const,
      asked: ASKED,
      paid: CAME,
      late: true,
      reasons: [{ what, order: "order_01" }],
    })),
    { order: "order_01", name: "#7", worth: ASKED, paid: CAME, excess: CAME },
  ],
  amount_differs: paid("amount_less", "amount_more"),
  currency_differs: paid("currency_differs"),
  not_ours: paid("merchant_differs", "reference_differs"),
  unknown_status: [{ merchant: MERCHANT, status: "ON_HOLD" }],
  reversed: paid("reversed"),
  changed_since_handled: paid("changed_since_handled"),
  refund_due: [
    { row: "pstx_01", order: "order_01", due: ASKED, requests: [] },
    {
      row: "pstx_01",
      order: "order_01",
      due: ASKED,
      requests: [
        { amount: "300.00", at: AT },
        { amount: "1200.50", at: AT },
      ],
    },
  ],
  payout_unknown: [
    { payout: "pspo_01", sum: CAME, card: "**** 4242", since: AT },
    { payout: "pspo_01", sum: CAME, card: null, since: AT },
  ],
  order_unpaid: [
    { order: "order_01", refusal: null },
    { order: "order_01", refusal: null, owed: ASKED },
    { order: "order_01", refusal: UNNAMED },
  ],
  order_half_made: [
    { order: "order_01", name: "#7", cart: "cart_01", isLinked: true, unreserved: ["Mug", "Cap"] },
    { order: "order_01", name: "#7", cart: "cart_01", isLinked: true, unreserved: [] },
    { order: "order_01", name: "#7", cart: "cart_01", isLinked: false, unreserved: [] },
  ],
  order_underpaid: [{ order: "order_01", name: "#7", worth: CAME, paid: ASKED, owed: CAME }],
  payment_not_here: [
    { ...RECORD, found: "unknown_reference", reference: "pstx_02" },
    { ...RECORD, found: "creation_without_reply", row: "pstx_01" },
    { ...RECORD, ...OURS, found: "second_payment" },
    { ...RECORD, ...OURS, found: "listed_only" },
    ...[1, 2, 5].map((count) => ({
      ...PLACE,
      found: "foreign_payments" as const,
      from: AT,
      to: AT,
      count,
      sums: [CAME, ASKED],
      statuses: ["CONFIRMED"],
      methods: [],
      records: ["0a1b2c3d-0000-4000-8000-000000000001"],
    })),
  ],
  payment_not_there: [
    { ...OURS, found: "unconfirmed", seen: CAME, status: "Waiting" },
    { ...OURS, found: "unconfirmed", seen: CAME, status: null },
    { ...OURS, found: "held_in_medusa", payment: "pay_01", held: CAME },
    { row: "pstx_01", transaction: null, found: "held_in_medusa", payment: "pay_01", held: CAME },
    { found: "held_in_medusa", payment: "pay_01", held: CAME },
    { ...OURS, found: "payment_gone", seen: CAME },
  ],
  callback_unreadable: [{}],
  service_unreachable: [
    { ...PLACE, since: AT },
    { ...OURS, reason: UNNAMED },
    { ...OURS, reason: UNNAMED, found: "unread" },
    { ...OURS, reason: UNNAMED, found: "named" },
    { ...PLACE, since: AT, uncompared: UNNAMED },
  ],
  credentials_refused: [PLACE],
  payments_not_opened: ["", '{"message":"no requisites for this sum"}'].map((detail) => ({
    ...PLACE,
    method: "crypto",
    failures: 5,
    since: AT,
    reason: { code: "invalid" as const, detail },
  })),
  not_configured: [1, 2, 5].map((count) => ({ ...PLACE, count, oldest: AT })),
}
