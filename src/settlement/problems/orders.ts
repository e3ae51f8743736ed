import { compareAmounts, subtractAmounts, toWireAmount } from "../amount"
import { causeOfBalance, causeOfRefundDue, causeOfUnpaidOrder } from "../cause"
import { entry } from "./entry"
import { type Refusal, refusalText } from "./refusals"
import { joined, NOTHING, type Sum, text, type Text } from "../../texts"

/** Money that is to be paid back. */
export interface RefundDueFacts {
  row: string
  order: string
  /** The whole sum, including payouts that nobody has recorded yet. */
  due: Sum
  /** The sum of payouts that nobody has recorded yet. */
  paid_out?: Sum
  /** The refund requests that are still due; none for a canceled order, because all of its money is due. */
  requests: { amount: string; at: string }[]
}

export interface UnpaidOrderFacts {
  order: string
  /** Medusa's reason for not canceling the order, if it was to be canceled. */
  refusal: Refusal | null
  /** The sum that is still to be paid for an order that was not to be canceled. */
  owed?: Sum
}

export interface UnderpaidFacts {
  order: string
  /** The order's name for a person, its number for example. */
  name: string
  worth: Sum
  paid: Sum
  owed: Sum
}

export const ORDER_PROBLEMS = {
  /**
   * An order was canceled, or a refund was asked for, and the money has not gone back. It may always open again: what a person
   * decides about it is in the ledger, see `followOrders`.
   */
  refund_due: entry<RefundDueFacts>({
    cause: ({ order }) => causeOfRefundDue(order),
    actions: ["pay_out", "record_refund", "refunded_outside", "handle"],
    text: ({ order, due, paid_out: paid, requests }) => {
      if (!paid) return stillDue(order, due, NOTHING, requests)
      const left = subtractAmounts(due.amount, paid.amount)
      return compareAmounts(left, 0) > 0
        ? stillDue(
            order,
            { amount: toWireAmount(left), currency: due.currency },
            text("problems", "refund_paid_in_part", { paid }),
            requests
          )
        : text("problems", "refund_paid_out", { order, paid })
    },
  }),

  /**
   * An order was placed before its payment, did not get all of it in time, and was not canceled. It opens again for a payment that
   * was begun after a person had closed it.
   */
  order_unpaid: entry<UnpaidOrderFacts>({
    cause: ({ order }) => causeOfUnpaidOrder(order),
    actions: ["retry", "handle"],
    text: ({ order, refusal, owed }) => {
      if (refusal) {
        return text("problems", "order_not_canceled", { order, why: refusalText(refusal) })
      }
      const left = owed ? text("problems", "order_owed", { owed }) : NOTHING
      return text("problems", "order_unpaid", { order, left })
    },
  }),

  /** Less money was taken for an order than it is worth, and nobody has accepted that. */
  order_underpaid: entry<UnderpaidFacts>({
    cause: ({ order }) => causeOfBalance(order),
    actions: ["retry", "handle"],
    text: ({ name, worth, paid, owed }) =>
      text("problems", "order_underpaid", { name, worth, paid, owed }),
  }),
}

/** Medusa keeps no refund that was refused, so only a person can tell a second request from a repeated one. */
function stillDue(
  order: string,
  left: Sum,
  paid: Text,
  requests: RefundDueFacts["requests"]
): Text {
  const times = text("counted", "times", { count: requests.length })
  const each = requests.map(({ amount, at }) =>
    text("problems", "request", { sum: { amount, currency: left.currency }, at })
  )
  const asked =
    requests.length > 1
      ? text("problems", "asked_several_times", { times, requests: joined(each, "; ") })
      : NOTHING
  return text("problems", "refund_due", { order, left, paid, asked })
}
