import type { TransactionException } from "../../payments/rules/transaction"
import { NOTHING, type Sum, text, type Text } from "../../texts"
import { causeOfRefundDue, causeOfStatus, causeOfTransaction } from "./cause"
import { entry, type ProblemAction } from "./entry"
import { type Difference, type Reason, reasonsText } from "./reasons"

/** The facts that `problemOf` reads from a transaction's row. */
export interface PaidFacts {
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

/** A kind of problem with the money of one transaction. */
const ofRow = (actions: readonly ProblemAction[]) =>
  entry<PaidFacts>({ cause: ({ row }) => causeOfTransaction(row), actions, text: paidText })

/** Actions for money that no order took. */
const PAID_BACK = ["pay_out", "refunded_outside"] as const

export const PAYMENT_PROBLEMS = {
  /** Paid in full, but Medusa refused every attempt to place the order. */
  paid_without_order: ofRow(["retry", "place_order", ...PAID_BACK, "handle"]),

  /** Paid after its session was gone, its cart was worth another sum, or its order was canceled; or the order was deleted later. */
  paid_after_change: ofRow(["place_order", ...PAID_BACK, "retry", "handle"]),

  /** The cart or order of this transaction was owed nothing, or was to be paid in another way, or an order was overpaid. */
  paid_twice: entry<PaidFacts | OverpaidFacts>({
    cause: (facts) =>
      "row" in facts ? causeOfTransaction(facts.row) : causeOfRefundDue(facts.order),
    actions: ["take_instead", ...PAID_BACK, "retry", "handle"],
    text: (facts) => {
      if ("row" in facts) return paidText(facts)
      const part = facts.part ? text("problems", "part_of_excess", { part: facts.part }) : NOTHING
      return text("problems", "overpaid", { ...facts, part })
    },
  }),

  /** Less or more was paid than asked for, so nothing is captured. */
  amount_differs: ofRow(["accept_amount", ...PAID_BACK, "retry", "handle"]),

  /** Medusa can book nothing in another currency. */
  currency_differs: ofRow(["handle", "retry"]),

  /** The service names another merchant or another reference for one of our transactions. */
  not_ours: ofRow(["retry", "handle"]),

  /** One per status name that no option lists. */
  unknown_status: entry<{ merchant: string; status: string }>({
    cause: ({ merchant, status }) => causeOfStatus(merchant, status),
    actions: ["retry", "handle"],
  }),

  /** The service took back a payment that it had confirmed; Medusa may hold it as captured. */
  reversed: ofRow(["refunded_outside", "retry", "handle"]),

  /** The service's answer about the money differs from the state when a person took care of it. */
  changed_since_handled: ofRow(["handle", "refunded_outside", "retry"]),
}

/** Whether the order is to be paid in another way, on delivery for example, so that this payment can be taken instead. */
export const isPromisedOtherwise = (reasons: readonly Reason[] | null | undefined): boolean =>
  reasons?.some((one) => "what" in one && one.what === "promised_otherwise" && one.order) ?? false

/** The reason that the sentence about an exception gives already. */
const TOLD: Partial<Record<TransactionException, Difference["what"]>> = {
  amount_less: "amount",
  amount_more: "amount",
  currency_differs: "currency",
  session_gone: "session_gone",
}

function paidText({ exception, asked, paid, late, reasons }: PaidFacts): Text {
  const isGone = reasons.some((reason) => "what" in reason && reason.what === "order_gone")
  if (isGone) return text("problems", "order_gone", { paid })
  const told = TOLD[exception]
  const untold = reasons.filter((reason) => !(told && "what" in reason && reason.what === told))
  const isOfAmount = exception === "amount_less" || exception === "amount_more"
  return text("problems", isOfAmount ? "amount_differs" : exception, {
    asked,
    paid,
    late: late ? text("problems", "late") : NOTHING,
    why: untold.length ? text("problems", "why", { why: reasonsText(untold) }) : NOTHING,
  })
}
