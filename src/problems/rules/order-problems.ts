import { joined, NOTHING, type Sum, text, type Text } from "../../texts"
import { causeOfBalance, causeOfHalfMadeOrder, causeOfRefundDue, causeOfUnpaidOrder } from "./cause"
import { entry } from "./entry"
import { type Refusal, refusalText } from "./refusals"

export interface RefundDueFacts {
  row: string
  order: string
  due: Sum
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

export interface HalfMadeFacts {
  order: string
  /** The order's name for a person, its number for example. */
  name: string
  cart: string
  /** Whether the order is the cart's; else nothing shows whose it is, and the cart waits for a person. */
  isLinked: boolean
  /** The names of its items whose stock is not reserved. */
  unreserved: string[]
}

export const ORDER_PROBLEMS = {
  /**
   * An order was canceled, or a refund was asked for, and the money has not gone back. It may always open again: what a person
   * decides about it is in the ledger, see `followOrders`.
   */
  refund_due: entry<RefundDueFacts>({
    cause: ({ order }) => causeOfRefundDue(order),
    actions: ["pay_out", "refunded_outside", "handle"],
    text: stillDue,
  }),

  /**
   * An order was placed before its payment, did not get all of it in time, and was not canceled. It opens again for a payment that
   * was begun after a person had closed it.
   */
  order_unpaid: entry<UnpaidOrderFacts>({
    cause: ({ order }) => causeOfUnpaidOrder(order),
    actions: ["retry", "handle"],
    text: ({ order, refusal, owed }) => {
      const why = refusal && refusalText(refusal)
      if (why) return text("problems", "order_not_canceled", { order, why })
      const left = owed ? text("problems", "order_owed", { owed }) : NOTHING
      return text("problems", "order_unpaid", { order, left })
    },
  }),

  /** The process that made an order died before it had finished, or Medusa could not take back an order that it had refused. */
  order_half_made: entry<HalfMadeFacts>({
    cause: ({ order }) => causeOfHalfMadeOrder(order),
    actions: ["link_order", "replace_order", "handle"],
    text: ({ name, isLinked, unreserved }) => {
      const items = unreserved.join(", ")
      const lacks = items ? text("problems", "not_reserved", { items }) : NOTHING
      const code = isLinked ? "order_half_made" : "order_without_cart"
      return text("problems", code, { name, lacks })
    },
  }),

  /** Less money was taken for an order than it is worth, and nobody has accepted that. */
  order_underpaid: entry<{ order: string; name: string; worth: Sum; paid: Sum; owed: Sum }>({
    cause: ({ order }) => causeOfBalance(order),
    actions: ["handle", "retry"],
  }),
}

/** Medusa keeps no refund that was refused, so only a person can tell a second request from a repeated one. */
function stillDue({ order, due: left, requests }: RefundDueFacts): Text {
  const times = text("counted", "times", { count: requests.length })
  const each = requests.map(({ amount, at }) =>
    text("problems", "request", { sum: { amount, currency: left.currency }, at })
  )
  const asked =
    requests.length > 1
      ? text("problems", "asked_several_times", { times, requests: joined(each, "; ") })
      : NOTHING
  return text("problems", "refund_due", { order, left, asked })
}
