import type { TransactionRow } from "../../modules/payment-service/tables"
import { METHODS, type Sum } from "../../texts"
import { compareSums, isOwed, subtractAmounts } from "../../values/amount"

/** A merchant at an address of the service; several accounts of the options may share one. */
export type Merchant = Record<"merchantId" | "baseUrl", string>

export const merchantAccountOf = (row: { merchant_id: string; base_url: string }): Merchant => ({
  merchantId: row.merchant_id,
  baseUrl: row.base_url,
})

/** Compares merchant ids, which are UUIDs in either case; `isOfMerchant` is the same in SQL. */
export const isSameMerchant = (one: string | null, other: string) =>
  one?.toLowerCase() === other.toLowerCase()

export const merchantAccountId = ({ merchantId, baseUrl }: Merchant) =>
  `${merchantId.toLowerCase()}@${baseUrl}`

/** The sum that a person accepted instead of `amount`, and the cart's total that they saw; decimal text. */
export type Accepted = { amount: string; cart_total: string | null }

/** The money as a person saw it when they took care of it, paid or taken back, and the time of that (ISO 8601). */
export interface Handled {
  at: string
  as: "paid" | "reversed"
  amount: string | null
  currency: string | null
}

/** The service's words on a payment beside its sum; decimal text that is only shown. */
export interface Figures {
  /** Rubles (or the session's currency) for one USDT. */
  usdt_rate?: string
  amount_usdt?: string
  commission?: string
  commission_usdt?: string
}

/** Medusa's provider of a transaction. Core makes its id of the provider's identifier and the entry's id. */
export const providerIdOf = ({ method, account }: { method: string; account: string }) =>
  account ? `pp_${method}_${account}` : `pp_${method}`

/** The method and the account in a provider's id; null when the provider is not ours. */
export function partsOfProvider(providerId: unknown): { method: string; account: string } | null {
  if (typeof providerId !== "string") return null
  const method = METHODS.find((one) => `${providerId}_`.startsWith(`pp_${one}_`))
  return method === undefined ? null : { method, account: providerId.slice(`pp_${method}_`.length) }
}

/** A transaction's row; the model explains its columns, and `docs/architecture.md` lists the writer of each. */
export type Transaction = TransactionRow

/** The sum read from the service, else the sum asked for. `PAID_SUM` is the same in SQL. */
export function paidSum(row: Transaction): Sum {
  return { amount: row.read_amount ?? row.amount, currency: row.read_currency ?? row.currency }
}

/** A transaction that is still pending counts as expired only this long after its time to pay. */
export const EXPIRY_GRACE_MS = 2 * 60 * 1000

const USUAL_TIME_TO_PAY_MS = 60 * 60 * 1000

type Timed = Pick<Transaction, "opened_at" | "expires_at">

/** The end of the time to pay; of the usual time if the service gave none. */
export const endOfTimeToPay = (row: Timed) =>
  row.expires_at ?? new Date(row.opened_at.getTime() + USUAL_TIME_TO_PAY_MS)

/** Answers are seconds apart, so ends that differ by less are the same. */
const SAME_END_MS = 10_000
/** A service may always say the same time left: no attempt is open for longer than this. */
const LONGEST_TIME_TO_PAY_MS = 7 * 24 * 60 * 60_000

/** The end of the time to pay after an answer that calls the transaction payable. One without a time that is left moves nothing. */
export function endAfter(
  { opened_at, expires_at }: Timed,
  { askedAt, secondsLeft }: { askedAt: Date; secondsLeft: number | null }
): Date | null {
  if (!secondsLeft) return expires_at
  const latest = opened_at.getTime() + LONGEST_TIME_TO_PAY_MS
  const end = Math.min(askedAt.getTime() + secondsLeft * 1_000, latest)
  return Math.abs(end - Number(expires_at)) < SAME_END_MS ? expires_at : new Date(end)
}

/** Whether the time to pay has been over for so long that a pending transaction counts as expired. */
export const isTimeOver = (row: Timed, now: Date) =>
  now.getTime() >= endOfTimeToPay(row).getTime() + EXPIRY_GRACE_MS

/** Reads have proved all states but the first three. */
export const TRANSACTION_STATES = [
  /** The row is written, and the service has not replied yet. */
  "creating",
  /** The service did not make the transaction. */
  "refused",
  /** No reply to the creation: the service may have made it, but its id never reached us. */
  "unknown",
  "pending",
  "paid",
  "canceled",
  "expired",
] as const
export type TransactionState = (typeof TRANSACTION_STATES)[number]

const FOUND_IN_READ = [
  "amount_less",
  "amount_more",
  "currency_differs",
  "merchant_differs",
  "reference_differs",
  "unknown_status",
  "reversed",
  "changed_since_handled",
] as const

/** Exceptions in Medusa's state; only an attempt to act finds them. */
const FOUND_IN_MEDUSA = [
  "session_gone",
  "session_differs",
  "cart_changed",
  "order_canceled",
  "payment_canceled",
  "paid_twice",
  "completion_failed",
] as const

/** All but `unknown_status` are about money that was, or may have been, paid. */
export const TRANSACTION_EXCEPTIONS = [...FOUND_IN_READ, ...FOUND_IN_MEDUSA] as const
export type TransactionException = (typeof TRANSACTION_EXCEPTIONS)[number]

export const isFoundInMedusa = (exception: TransactionException | null) =>
  FOUND_IN_MEDUSA.some((found) => found === exception)

export const isClosed = (state: TransactionState) => state === "canceled" || state === "expired"

const MEANINGS = ["paid", "pending", "canceled", "expired", "reversed"] as const

/** The service's status names. The specification shows only `PENDING` and `CANCELED`; every other one is the merchant's configuration. */
export type StatusNames = Record<(typeof MEANINGS)[number], readonly string[]>

export type StatusMeaning = keyof StatusNames | "unknown"

export const meaningOf = (status: string, names: StatusNames): StatusMeaning =>
  MEANINGS.find((meaning) => names[meaning].includes(status)) ?? "unknown"

/** Every rule about what remains to be done with a row asks for its standing. */
const STANDINGS = [
  "opening",
  "not_opened",
  "unanswered",
  "payable",
  "over",
  /** Paid in full. Medusa has not taken it yet, and that is retried automatically. */
  "waiting_for_medusa",
  /** Paid in full, and Medusa has it. */
  "settled",
  /** Paid, and something is wrong that a person has to look at. */
  "waiting_for_person",
  /** A person took care of its money as it is now, and nothing is done about it any more. */
  "taken_care_of",
] as const
type Standing = (typeof STANDINGS)[number]

/** The words of lists for a payment: its standing, or that its money went back, in part or in full. */
export const LISTED_STANDINGS = [...STANDINGS, "partly_refunded", "refunded"] as const
export type ListedStanding = (typeof LISTED_STANDINGS)[number]

const STANDING_OF_UNPAID = {
  creating: "opening",
  refused: "not_opened",
  unknown: "unanswered",
  pending: "payable",
  canceled: "over",
  expired: "over",
} as const

export function standingOf(row: Transaction): Standing {
  const { state, exception, settled_at } = row
  const handledAt = handledAtOf(row)
  if (handledAt && (exception || row.handled_at)) {
    const isNewer = exception !== null && Number(row.exception_at) > handledAt
    return isNewer ? "waiting_for_person" : "taken_care_of"
  }
  if (state !== "paid") return STANDING_OF_UNPAID[state]
  // A refusal of Medusa is retried several times before a person is asked.
  if (exception !== null && exception !== "completion_failed") return "waiting_for_person"
  return settled_at ? "settled" : "waiting_for_medusa"
}

/** A payment that waits for a person says so, whatever of it went back. `refunded` (`refundedOf`) is undefined when nothing did. */
export function listedStandingOf(row: Transaction, refunded: string | undefined): ListedStanding {
  const standing = standingOf(row)
  const isOver = standing === "settled" || standing === "taken_care_of"
  if (!isOver || refunded === undefined) return standing
  return compareSums(refunded, paidSum(row).amount) < 0 ? "partly_refunded" : "refunded"
}

/** When somebody took care of the money last, in Unix milliseconds; null when nobody has. */
export const handledAtOf = ({ handled, handled_at }: Transaction) =>
  handled ? Date.parse(handled.at) : (handled_at?.getTime() ?? null)

type Judged = Pick<Transaction, "state" | "exception">

/** Whether a read proved this payment in full, whatever Medusa made of it since. */
export const isProven = ({ state, exception }: Judged) =>
  state === "paid" && (exception === null || isFoundInMedusa(exception))

/** Whether money came, in any sum, and the service has not taken it back. */
export const isPaidAndKept = ({ state, exception }: Judged) =>
  state === "paid" && exception !== "reversed"

const NOT_KEPT: (TransactionException | null)[] = [
  "reversed",
  "merchant_differs",
  "reference_differs",
]

/** Whether money came for this store, in any sum, and was not taken back; `WAS_PAID` is the same in SQL. */
export function wasPaid({ state, paid_at, exception, handled }: Transaction): boolean {
  const isKept = !NOT_KEPT.includes(exception) && handled?.as !== "reversed"
  return state === "paid" && paid_at !== null && isKept
}

/** Whether money came, in any sum, and no person has taken care of it; `PAID_AND_NOT_HANDLED` is the same in SQL. */
export const isPaidAndNotHandled = ({ state, handled_at }: Transaction) =>
  state === "paid" && handled_at === null

/** Whether Medusa has its money and nothing is wrong; `SETTLED_IN_ORDER` says the same in SQL. */
export const isSettledInOrder = ({ settled_at, exception }: Transaction) =>
  settled_at !== null && exception === null

/** Whether nothing remains to be done with the money: Medusa has it, or a person has taken care of it. */
export const isSettledOrHandled = ({ settled_at, handled_at }: Transaction) =>
  settled_at !== null || handled_at !== null

/** A person is told after more failed attempts at an order than these: meanwhile a lock may end or stock may return. */
export const QUIET_ATTEMPTS = 3

/** Whether a person must look at its exception; `NEEDS_PERSON` is the same in SQL. */
export const needsPerson = ({ exception, apply_attempts }: Transaction) =>
  exception === "completion_failed" ? apply_attempts > QUIET_ATTEMPTS : exception !== null

/** Whether the payment is proven but not settled in good order. An exception in Medusa counts, too, because it may be over by now. */
export function isToBeSettled(row: Transaction): boolean {
  const standing = standingOf(row)
  if (standing === "waiting_for_medusa") return true
  return standing === "waiting_for_person" && !row.handled_at && isFoundInMedusa(row.exception)
}

/** Whether Medusa may have something to do. A payment that is itself wrong (another sum, say) is left to a person. */
export const concernsMedusa = (row: Transaction) =>
  isClosed(row.state) || row.apply_after !== null || isToBeSettled(row)

/** Whether Medusa has followed the service's last answer: taken the payment, or closed its session. */
export const hasMedusaFollowed = ({ state, settled_at, apply_after }: Transaction) =>
  state === "paid" ? settled_at !== null : isClosed(state) && apply_after === null

/** An order's payments, newest first, but before all others those with money that nobody has taken care of: later ones may be unpaid. */
export function withMoneyFirst<Row extends Transaction>(payments: Row[]): Row[] {
  const newest = payments.toSorted((a, b) => b.opened_at.getTime() - a.opened_at.getTime())
  return [
    ...newest.filter(isPaidAndNotHandled),
    ...newest.filter((payment) => !isPaidAndNotHandled(payment)),
  ]
}

/** The newest payment to ask an order's customer for; none while another's money waits, or if less is owed (null: canceled). */
export function paymentToOffer<Row extends Transaction>(
  payments: Row[],
  owed: string | null,
  now: Date
): Row | null {
  const isPayable = (one: Row) => standingOf(one) === "payable" && !isTimeOver(one, now)
  const newest = withMoneyFirst(payments).find(isPayable)
  const isWaiting = (one: Row) => isPaidAndNotHandled(one) && standingOf(one) !== "settled"
  if (!newest || owed === null || payments.some(isWaiting)) return null
  return isOwed(subtractAmounts(newest.amount, owed)) ? null : newest
}
