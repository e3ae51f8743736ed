import type { Merchant, TransactionException } from "../../payments/rules/transaction"
import { type Code, hasText, joined, money, NOTHING, type Sum, text, type Text } from "../../texts"
import {
  CALLBACK_UNREADABLE,
  causeOfBalance,
  causeOfFailedOpenings,
  causeOfForeignPayments,
  causeOfGone,
  causeOfHalfMadeOrder,
  causeOfMissing,
  causeOfMissingAccount,
  causeOfNoComparison,
  causeOfPayment,
  causeOfPayout,
  causeOfRecord,
  causeOfRefundDue,
  causeOfRefusedCredentials,
  causeOfSilence,
  causeOfStatus,
  causeOfTransaction,
  causeOfUnread,
} from "./cause"
import { entry, type ProblemAction } from "./entry"
import { type Difference, type Reason, reasonsText } from "./reasons"
import { type Refusal, refusalText, textWithWords } from "./refusals"

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

/** One transaction could not be read: for a week, when it differed in a comparison, or for ten minutes after news of it. */
export interface UnreadFacts {
  found?: "unread" | "named"
  row: string
  transaction: string
  reason: Refusal
}

interface OverpaidFacts {
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

/** A transaction of ours: its row, and the service's id for it, if that is known. */
interface Ours {
  row: string
  transaction: string | null
}

/** A paid record of the service's list. */
interface PaidRecord extends Merchant {
  record: string
  listed: Sum & { status: string }
}

export type NotHereFacts =
  | (PaidRecord & { found: "unknown_reference"; reference: string })
  | (PaidRecord & Pick<Ours, "row"> & { found: "creation_without_reply" })
  | (PaidRecord & Ours & { found: "second_payment" })
  /** The service lists it as paid, and says otherwise when it is asked for it alone. */
  | (PaidRecord & Ours & { found: "listed_only" })
  /** All listed payments without a payment of this store, as one problem, except those reported singly. */
  | (Merchant & {
      found: "foreign_payments"
      from: string
      to: string
      count: number
      sums: Sum[]
      /** The service's statuses of them. */
      statuses: string[]
      /** The labels of the methods that were asked for, at the merchant's first account; none means all. */
      methods: string[]
      /** Ids of the first hundred records, in lower case. */
      records: string[]
    })

type NotThereFacts =
  /** The service does not know a payment any more that it had confirmed, or calls it unpaid. */
  | (Ours & { found: "unconfirmed"; seen: Sum; status: string | null })
  /** Medusa holds a captured payment of ours; without a row when this plugin never opened it. */
  | (Partial<Ours> & { found: "held_in_medusa"; payment: string; held: Sum })
  /** Medusa had taken the payment, and now it is deleted there. */
  | (Ours & { found: "payment_gone"; seen: Sum })

interface RefundDueFacts {
  row: string
  order: string
  due: Sum
  /** The refund requests that are still due; none for a canceled order, because all of its money is due. */
  requests: { amount: string; at: string }[]
}

/** All kinds of problems. A new kind needs its entry and its texts. Kinds and facts are stored; texts are made when they are shown. */
export const CATALOGUE = {
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

  /**
   * An order was canceled, or a refund was asked for, and the money has not gone back. It may always open again: what a person
   * decides about it is in the ledger, see `reportBalances`.
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
  order_unpaid: entry<{
    order: string
    /** Medusa's reason for not canceling the order, if it was to be canceled. */
    refusal: Refusal | null
    /** The sum that is still to be paid for an order that was not to be canceled. */
    owed?: Sum
  }>({
    cause: ({ order }) => `unpaid:${order}`,
    actions: ["retry", "handle"],
    text: ({ order, refusal, owed }) => {
      const why = refusal && refusalText(refusal)
      if (why) return text("problems", "order_not_canceled", { order, why })
      const left = owed ? text("problems", "order_owed", { owed }) : NOTHING
      return text("problems", "order_unpaid", { order, left })
    },
  }),

  /** The process that made an order died before it had finished, or Medusa could not take back an order that it had refused. */
  order_half_made: entry<{
    order: string
    /** The order's name for a person, its number for example. */
    name: string
    cart: string
    /** Whether the order is the cart's; else nothing shows whose it is, and the cart waits for a person. */
    isLinked: boolean
    /** The names of its items whose stock is not reserved. */
    unreserved: string[]
  }>({
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

  // The daily comparison finds these two again each day, so only other facts open one that a person has closed.

  /** The service has a payment that this store does not know. */
  payment_not_here: entry<NotHereFacts>({
    cause: (facts) =>
      facts.found === "foreign_payments"
        ? causeOfForeignPayments(facts)
        : causeOfRecord(facts.merchantId, facts.record),
    opensAgainBy: ["found", "listed"],
    actions: ["handle"],
    text: (facts) => {
      if (facts.found === "foreign_payments") {
        const { merchantId, from, to, count } = facts
        const payments = text("counted", "payments", { count })
        const sums = joined(facts.sums.map(money), ", ")
        const found = { merchantId, from, to, count, payments, sums }
        return text("problems", "foreign_payments", found)
      }
      const { status, ...sum } = facts.listed
      const payment = text("problems", "paid_record", { record: facts.record, sum, status })
      return text("problems", facts.found, { payment })
    },
  }),

  /** The service or Medusa does not have a payment that we, or Medusa, have as paid. */
  payment_not_there: entry<NotThereFacts>({
    cause: (facts) => {
      if (facts.found === "held_in_medusa") return causeOfPayment(facts.payment)
      return facts.found === "payment_gone" ? causeOfGone(facts.row) : causeOfMissing(facts.row)
    },
    opensAgainBy: ["found", "seen", "status", "held"],
    actions: ["retry", "handle"],
    text: (facts) => {
      const { found, row } = facts
      const isUnknown = found === "unconfirmed" && facts.status === null
      const code = row === undefined || isUnknown ? `${found}_missing` : found
      return text("problems", code as Code<"problems">, { ...facts })
    },
  }),

  /** A callback came to the right address but named no transaction. */
  callback_unreadable: entry<Record<string, never>>({
    cause: () => CALLBACK_UNREADABLE,
    actions: ["handle"],
  }),

  /**
   * The service has not answered for a merchant for a long time. Or one transaction was given up unread; that opens again when a
   * callback named it and another attempt failed.
   */
  service_unreachable: entry<(Merchant & { since: string; uncompared?: Refusal }) | UnreadFacts>({
    cause: (facts) => {
      if ("row" in facts) return causeOfUnread(facts.row)
      return facts.uncompared ? causeOfNoComparison(facts) : causeOfSilence(facts)
    },
    actions: ["retry", "handle"],
    text: (facts) => {
      if (!("row" in facts)) {
        const { uncompared, ...silent } = facts
        return uncompared
          ? text("problems", "not_compared", { ...silent, why: refusalText(uncompared) })
          : text("problems", "service_unreachable", silent)
      }
      return text("problems", facts.found ?? "given_up", { why: refusalText(facts.reason) })
    },
  }),

  /** The service refuses the merchant's secret, so nothing can be read or opened. */
  credentials_refused: entry<Merchant>({
    cause: causeOfRefusedCredentials,
    actions: ["handle"],
  }),

  /** The service opens no payment for a merchant with one method, until the next one that opens closes it. */
  payments_not_opened: entry<
    Merchant & {
      method: string
      /** The number of creations that failed since the last payment was opened with it. */
      failures: number
      /** When the first of them was asked for; ISO 8601. */
      since: string
      /** Why the last one failed; `detail` has the service's own words alone. */
      reason: Refusal
    }
  >({
    cause: (facts) => causeOfFailedOpenings(facts, facts.method),
    actions: ["handle"],
    text: ({ reason, method, ...facts }) =>
      text("problems", "payments_not_opened", {
        ...facts,
        method: hasText("methods", method) ? text("methods", method) : method,
        why: textWithWords(reason),
      }),
  }),

  /** No account has the merchant and address of these due transactions; it opens again when one falls due after its closing. */
  not_configured: entry<Merchant & { count: number; oldest: string }>({
    cause: causeOfMissingAccount,
    actions: ["handle"],
    text: (facts) => {
      const transactions = text("counted", "transactions", { count: facts.count })
      return text("problems", "not_configured", { ...facts, transactions })
    },
  }),

  /** A payout's outcome is unknown since it was sent. It has no actions here: it ends when the payout is sent again or marked. */
  payout_unknown: entry<{ payout: string; sum: Sum; card: string | null; since: string }>({
    cause: ({ payout }) => causeOfPayout(payout),
    actions: [],
    text: ({ card, ...facts }) => {
      const to = card ? text("problems", "to_card", { card }) : NOTHING
      return text("problems", "payout_unknown", { ...facts, card: to })
    },
  }),
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
