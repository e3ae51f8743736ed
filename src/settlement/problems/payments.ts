import { causeOfRefundDue, causeOfStatus, causeOfTransaction } from "../cause"
import type { TransactionException } from "../transaction-state"
import type { Difference } from "./differences"
import { entry } from "./entry"
import { type Reason, reasonsText } from "./reasons"
import { type Code, NOTHING, type Sum, text, type Text } from "../../texts"

/** The facts that `problemOf` reads from a transaction's row. */
export interface PaidFacts {
  /** Our row. */
  row: string
  exception: Exclude<TransactionException, "unknown_status">
  asked: Sum
  /** The sum in the service's answer, else the sum that was asked for. */
  paid: Sum
  /** Whether the payment came after its time to pay or after a cancellation. */
  late: boolean
  /** Medusa's reasons for refusing the payment, or the differences. */
  reasons: Reason[]
}

/** An order that was overpaid. */
export interface OverpaidFacts {
  order: string
  /** The order's name for a person, its number for example. */
  name: string
  worth: Sum
  paid: Sum
  excess: Sum
  /** The part of the excess that the problem is about, when its payment holds no more. */
  part?: Sum
}

/** One problem per transaction. */
const OF_ROW = { cause: ({ row }: PaidFacts) => causeOfTransaction(row) }

/** Actions for money that no order took. */
const PAID_BACK = ["pay_out", "refunded_outside"] as const
const ORDERABLE = ["retry", "place_order", ...PAID_BACK, "handle"] as const

export const PAYMENT_PROBLEMS = {
  /** Paid in full, but Medusa refused every attempt to place the order. */
  paid_without_order: entry<PaidFacts>({
    ...OF_ROW,
    actions: ORDERABLE,
    text: (facts) =>
      textOf(
        facts.exception === "payment_canceled" ? "paid_when_canceled" : "paid_without_order",
        facts
      ),
  }),

  /** Paid after its session was deleted or replaced, after the cart became worth another sum, or after the order was canceled; or
   * the order was deleted after it had been paid. */
  paid_after_change: entry<PaidFacts>({
    ...OF_ROW,
    actions: ORDERABLE,
    text: afterChange,
  }),

  /** The cart or order of this transaction was owed nothing, or was to be paid in another way, or an order was overpaid. */
  paid_twice: entry<PaidFacts | OverpaidFacts>({
    cause: (facts) =>
      "row" in facts ? causeOfTransaction(facts.row) : causeOfRefundDue(facts.order),
    actions: ["retry", "take_instead", ...PAID_BACK, "handle"],
    text: (facts) => {
      if ("row" in facts) return textOf("paid_twice", facts)
      const { name, worth, paid, excess, part } = facts
      const ofPart = part ? text("problems", "part_of_excess", { part }) : NOTHING
      return text("problems", "overpaid", { name, worth, paid, excess, part: ofPart })
    },
  }),

  /** Less or more was paid than asked for, so nothing is captured. */
  amount_differs: entry<PaidFacts>({
    ...OF_ROW,
    actions: ["retry", "accept_amount", ...PAID_BACK, "handle"],
    text: (facts) => textOf("other_amount", without("amount", facts)),
  }),

  /** Medusa can book nothing in another currency. */
  currency_differs: entry<PaidFacts>({
    ...OF_ROW,
    actions: ["retry", "handle"],
    text: (facts) => textOf("other_currency", without("currency", facts)),
  }),

  /** The service names another merchant or another reference for one of our transactions. */
  not_ours: entry<PaidFacts>({
    ...OF_ROW,
    actions: ["retry", "handle"],
    text: (facts) =>
      textOf(facts.exception === "merchant_differs" ? "other_merchant" : "other_reference", facts),
  }),

  /** One per status name that no option lists. */
  unknown_status: entry<{ merchant: string; status: string }>({
    cause: ({ merchant, status }) => causeOfStatus(merchant, status),
    actions: ["retry", "handle"],
    text: ({ status }) => text("problems", "unknown_status", { status }),
  }),

  /** The service took back a payment that it had confirmed; Medusa may hold it as captured. */
  reversed: entry<PaidFacts>({
    ...OF_ROW,
    actions: ["retry", "refunded_outside", "handle"],
    text: (facts) => textOf("reversed", facts),
  }),

  /** The service's answer about the money differs from the state when a person took care of it. */
  changed_since_handled: entry<PaidFacts>({
    ...OF_ROW,
    actions: ["retry", "refunded_outside", "handle"],
    text: (facts) => textOf("changed_since_handled", facts),
  }),
}

/** Whether the order is to be paid in another way, on delivery for example, so that this payment can be taken instead. */
export const isPromisedOtherwise = (reasons: readonly Reason[] | null | undefined): boolean =>
  reasons?.some((one) => "what" in one && one.what === "promised_otherwise" && one.order) ?? false

function textOf(code: Code<"problems">, { asked, paid, late, reasons }: PaidFacts): Text {
  return text("problems", code, {
    asked,
    paid,
    late: late ? text("problems", "late") : NOTHING,
    why: reasons.length ? text("problems", "why", { why: reasonsText(reasons) }) : NOTHING,
  })
}

/** The facts without the reason that the sentence gives already. */
const without = (told: Difference["what"], facts: PaidFacts): PaidFacts => ({
  ...facts,
  reasons: facts.reasons.filter((reason) => !("what" in reason && reason.what === told)),
})

function afterChange(facts: PaidFacts): Text {
  const gone = facts.reasons.find((reason) => "what" in reason && reason.what === "order_gone")
  if (gone) return text("problems", "order_gone", { paid: facts.paid, ...gone })
  switch (facts.exception) {
    case "session_gone":
      return textOf("session_gone", without("session_gone", facts))
    case "session_differs":
    case "order_canceled":
      return textOf(facts.exception, facts)
    default:
      return textOf("cart_changed", facts)
  }
}
