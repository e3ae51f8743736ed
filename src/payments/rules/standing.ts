import { compareSums, isOwed, subtractAmounts } from "../../values/amount"
import {
  isClosed,
  isFoundInMedusa,
  isTimeOver,
  paidSum,
  type Transaction,
  type TransactionException,
} from "./transaction"

/**
 * The standing of a transaction's row. Every rule about what remains to be done with a row asks for it.
 *
 * - `opening`: the row is written, and the service has not answered its creation yet
 * - `not_opened`: the service refused the creation
 * - `unanswered`: no reply came to the creation, so the service may have made it
 * - `payable`: the payer may pay
 * - `over`: it was canceled or has expired without money
 * - `waiting_for_medusa`: paid in full; Medusa has not taken it yet, and that is retried automatically
 * - `settled`: paid in full, and Medusa has it
 * - `waiting_for_person`: paid, and something is wrong that a person has to look at
 * - `taken_care_of`: a person took care of its money as it is now, and nothing is done about it any more
 */
const STANDINGS = [
  "opening",
  "not_opened",
  "unanswered",
  "payable",
  "over",
  "waiting_for_medusa",
  "settled",
  "waiting_for_person",
  "taken_care_of",
] as const
type Standing = (typeof STANDINGS)[number]

/** What lists say of a payment: its standing, or that its money went back, in part or in full. */
export const LISTED_STANDINGS = [...STANDINGS, "partly_refunded", "refunded"] as const
export type ListedStanding = (typeof LISTED_STANDINGS)[number]

export function standingOf(row: Transaction): Standing {
  const { state, exception, settled_at } = row
  const handledAt = handledAtOf(row)
  if (handledAt && (exception || row.handled_at)) {
    const isNewer = exception !== null && Number(row.exception_at) > handledAt
    return isNewer ? "waiting_for_person" : "taken_care_of"
  }
  switch (state) {
    case "creating":
      return "opening"
    case "refused":
      return "not_opened"
    case "unknown":
      return "unanswered"
    case "pending":
      return "payable"
    case "canceled":
    case "expired":
      return "over"
    case "paid":
      // A refusal of Medusa is retried several times before a person is asked.
      if (exception !== null && exception !== "completion_failed") return "waiting_for_person"
      return settled_at ? "settled" : "waiting_for_medusa"
  }
}

/**
 * A payment that waits for a person says so, whatever of it went back.
 *
 * @param refunded the sum that went back to the payer, see `refundedOf`; undefined when nothing did
 */
export function listedStandingOf(row: Transaction, refunded: string | undefined): ListedStanding {
  const standing = standingOf(row)
  const isOver = standing === "settled" || standing === "taken_care_of"
  if (!isOver || refunded === undefined) return standing
  return compareSums(refunded, paidSum(row).amount) < 0 ? "partly_refunded" : "refunded"
}

/** When somebody took care of the money last, in Unix milliseconds; null when nobody has. */
export function handledAtOf({ handled, handled_at }: Transaction): number | null {
  return handled ? Date.parse(handled.at) : (handled_at?.getTime() ?? null)
}

/** Whether a read proved this payment in full, whatever Medusa made of it since. */
export function isProven(row: Pick<Transaction, "state" | "exception">): boolean {
  return row.state === "paid" && (row.exception === null || isFoundInMedusa(row.exception))
}

/** Whether the service confirms the payment in full now, also one of which a person had recorded that it was taken back. */
export function isConfirmed(row: Pick<Transaction, "state" | "exception">): boolean {
  return isProven(row) || (row.state === "paid" && row.exception === "changed_since_handled")
}

/** Whether the payment is proven in full, without an exception in Medusa either. */
export function isPaidInOrder(row: Pick<Transaction, "state" | "exception">): boolean {
  return row.state === "paid" && row.exception === null
}

/** Whether money came, in any sum, and the service has not taken it back. */
export function isPaidAndKept(row: Pick<Transaction, "state" | "exception">): boolean {
  return row.state === "paid" && row.exception !== "reversed"
}

/** Exceptions of a payment whose money this store does not have: taken back, or another shop's. */
const NOT_KEPT: (TransactionException | null)[] = [
  "reversed",
  "merchant_differs",
  "reference_differs",
]

/** Whether money came for this store, in any sum, and was not taken back. `WAS_PAID` is the same in SQL. */
export function wasPaid({ state, paid_at, exception, handled }: Transaction): boolean {
  return (
    state === "paid" &&
    paid_at !== null &&
    !NOT_KEPT.includes(exception) &&
    handled?.as !== "reversed"
  )
}

/** Whether money came, in any sum, and no person has taken care of it; `PAID_AND_NOT_HANDLED` is the same in SQL. */
export function isPaidAndNotHandled(row: Pick<Transaction, "state" | "handled_at">): boolean {
  return row.state === "paid" && row.handled_at === null
}

/** Whether Medusa has its money and nothing is wrong; `SETTLED_IN_ORDER` says the same in SQL. */
export function isSettledInOrder(row: Pick<Transaction, "settled_at" | "exception">): boolean {
  return row.settled_at !== null && row.exception === null
}

/** Whether nothing remains to be done with the money: Medusa has it, or a person has taken care of it. */
export function isSettledOrHandled(row: Pick<Transaction, "settled_at" | "handled_at">): boolean {
  return row.settled_at !== null || row.handled_at !== null
}

/** A person is told after more failed attempts at an order than these: meanwhile a lock may end or stock may return. */
export const QUIET_ATTEMPTS = 3

/**
 * Whether a person must look at an exception: at any, but at a refusal by Medusa only after several failed attempts.
 * `NEEDS_PERSON` is the same in SQL.
 */
export function needsPerson(row: Pick<Transaction, "exception" | "apply_attempts">): boolean {
  return row.exception === "completion_failed"
    ? row.apply_attempts > QUIET_ATTEMPTS
    : row.exception !== null
}

/**
 * Whether the payment is proven in full but not settled in good order. An exception in Medusa counts, too, because it may be over
 * by now.
 */
export function isToBeSettled(row: Transaction): boolean {
  const standing = standingOf(row)
  return (
    standing === "waiting_for_medusa" ||
    (standing === "waiting_for_person" && !row.handled_at && isFoundInMedusa(row.exception))
  )
}

/**
 * Whether Medusa may have something to do: the row is closed, an attempt is to be repeated, or a proven payment is not settled in
 * order yet. A payment that is itself wrong (another sum, say) is left to a person.
 */
export function concernsMedusa(row: Transaction): boolean {
  return isClosed(row.state) || row.apply_after !== null || isToBeSettled(row)
}

/** Whether Medusa has followed the service's last answer: taken the payment, or closed its session. */
export function hasMedusaFollowed(
  row: Pick<Transaction, "state" | "settled_at" | "apply_after">
): boolean {
  return row.state === "paid"
    ? row.settled_at !== null
    : isClosed(row.state) && row.apply_after === null
}

/**
 * The payments of an order, first the one that says what became of it: the newest with money that nobody has taken care of, else
 * the newest. An attempt that was opened later may be unpaid while an earlier one paid the order.
 */
export function withMoneyFirst<Row extends Transaction>(payments: Row[]): Row[] {
  const newest = payments.toSorted((a, b) => b.opened_at.getTime() - a.opened_at.getTime())
  return [
    ...newest.filter(isPaidAndNotHandled),
    ...newest.filter((payment) => !isPaidAndNotHandled(payment)),
  ]
}

/**
 * The payment of an order that its customer may be asked to pay: the newest that can be paid. There is none while the money of
 * another one waits for Medusa or a person, or when it asks for more than is owed.
 *
 * @param owed the sum that is still to be paid for the order; null for a canceled one
 */
export function paymentToOffer<Row extends Transaction>(
  payments: Row[],
  owed: string | null,
  now: Date
): Row | null {
  const [newest] = withMoneyFirst(payments).filter(
    (payment) => standingOf(payment) === "payable" && !isTimeOver(payment, now)
  )
  const isWaiting = payments
    .filter(isPaidAndNotHandled)
    .some((payment) => standingOf(payment) !== "settled")
  if (!newest || owed === null || isWaiting) return null
  return isOwed(subtractAmounts(newest.amount, owed)) ? null : newest
}
