import {
  type Merchant,
  merchantAccountId,
  needsPerson,
  paidSum,
  type Transaction,
  type TransactionException,
} from "../../payments/rules/transaction"
import { type Code, hasText, joined, money, NOTHING, type Sum, text, type Text } from "../../texts"
import {
  type Difference,
  type Reason,
  reasonsText,
  type Refusal,
  refusalText,
  textWithWords,
} from "./reasons"

export const PROBLEM_RESOLUTIONS = ["settled", "accepted", "refunded_outside", "handled"] as const
export type ProblemResolution = (typeof PROBLEM_RESOLUTIONS)[number]
/** A person closed the problem. One that is `settled` or `accepted` opens again as soon as something is still wrong. */
export const BY_A_PERSON: ProblemResolution[] = ["handled", "refunded_outside"]

/** The actions that an admin can take on a problem; `docs/problems.md` says what each does. The payouts' own routes do `pay_out`. */
export const PROBLEM_ACTIONS = [
  "retry",
  "place_order",
  "accept_amount",
  "take_instead",
  "link_order",
  "replace_order",
  "pay_out",
  "refunded_outside",
  "handle",
] as const
export type ProblemAction = (typeof PROBLEM_ACTIONS)[number]

// Causes are stored, so a new spelling needs a migration. SQL repeats some of them in `payments/statements/`, in `rules-in-sql.ts`
// and `due-transactions.ts`.

export const CALLBACK_UNREADABLE = "callback:unreadable"
/** Something wrong with a transaction's money, as `problemOf` reads it from the row. */
export const causeOfTransaction = (rowId: string) => `transaction:${rowId}`
/** A status name that no option lists: one problem for all transactions with it. */
export const causeOfStatus = (merchantId: string, status: string) =>
  `status:${merchantId.toLowerCase()}:${status}`
export const causeOfHalfMadeOrder = (orderId: string) => `unfinished:${orderId}`
/** Money of an order that must be paid back: it was canceled, paid too much, or a refund was asked for. */
export const causeOfRefundDue = (orderId: string) => `refund:${orderId}`
export const causeOfBalance = (orderId: string) => `balance:${orderId}`
export const causeOfPayout = (payoutId: string) => `payout:${payoutId}`
export const causeOfUnread = (rowId: string) => `unread:${rowId}`
const ofMerchant = (name: string) => (merchant: Merchant) =>
  `${name}:${merchantAccountId(merchant)}`
export const causeOfSilence = ofMerchant("unreachable")
export const causeOfNoComparison = ofMerchant("comparison")
export const causeOfRefusedCredentials = ofMerchant("credentials")
export const causeOfMissingAccount = ofMerchant("configuration")
export const causeOfFailedOpenings = (merchant: Merchant, method: string) =>
  ofMerchant(`openings:${method}`)(merchant)
export const causeOfMissing = (rowId: string) => `missing:${rowId}`
export const causeOfGone = (rowId: string) => `gone:${rowId}`
/** A listed payment without a row of ours. */
export const causeOfRecord = (merchantId: string, recordId: string) =>
  `record:${merchantId.toLowerCase()}:${recordId.toLowerCase()}`
export const causeOfPayment = (paymentId: string) => `payment:${paymentId}`

/** Everything about one kind of problem. `Facts` are stored as JSON: a field's new name or meaning needs a migration. */
interface ProblemEntry<Facts> {
  cause: (facts: Facts) => string
  /** The first of them that is possible is the one that pages propose; the others stand in a menu. */
  actions: readonly ProblemAction[]
  /** Closed by a person, it opens again when one of these facts is another; without them, when it began after that. */
  opensAgainBy?: readonly (Facts extends unknown ? keyof Facts & string : never)[]
  /** By default the text that has the kind's name, with the facts as they are. */
  text?: (facts: Facts) => Text
}

const entry = <Facts>(described: ProblemEntry<Facts>) => described

export interface PaidFacts {
  row: string
  exception: Exclude<TransactionException, "unknown_status">
  asked: Sum
  paid: Sum
  /** Whether the payment came after its time to pay or after a cancellation. */
  late: boolean
  reasons: Reason[]
}

const ofRow = (actions: readonly ProblemAction[]) =>
  entry<PaidFacts>({ cause: ({ row }) => causeOfTransaction(row), actions, text: paidText })

/** Actions for money that no order took. */
const PAID_BACK = ["pay_out", "refunded_outside"] as const

/** A transaction of ours: its row, and the service's id for it, if that is known. */
type Ours = { row: string; transaction: string | null }

/** An order with its name for a person (its number, for example), and its money. */
type SumsOfOrder = Record<"order" | "name", string> & Record<"worth" | "paid", Sum>

type PaidRecord = Merchant & { record: string; listed: Sum & { status: string } }

export type NotHereFacts =
  | (PaidRecord & { found: "unknown_reference"; reference: string })
  | (PaidRecord & Pick<Ours, "row"> & { found: "creation_without_reply" })
  /** `listed_only`: the service lists it as paid, and says otherwise when it is asked for it alone. */
  | (PaidRecord & Ours & { found: "second_payment" | "listed_only" })
  /** All listed payments without a payment of this store, as one problem, except those reported singly. */
  | (Merchant & {
      found: "foreign_payments"
      from: string
      to: string
      count: number
      sums: Sum[]
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

/** All kinds of problems. The comment of each stands in `docs/problems.md`, too. Kinds and facts are stored, and texts are not. */
const CATALOGUE = {
  /** Medusa refused to place the paid order more than three times. */
  paid_without_order: ofRow(["retry", "place_order", ...PAID_BACK, "handle"]),

  /**
   * Someone paid an old QR code: the cart had changed, or the order had been canceled or deleted. An unchanged cart is simply
   * ordered, whichever attempt was paid.
   */
  paid_after_change: ofRow(["place_order", ...PAID_BACK, "retry", "handle"]),

  /** Another payment had paid already, or the order holds more than its total. */
  paid_twice: entry<PaidFacts | (SumsOfOrder & { excess: Sum })>({
    cause: (facts) =>
      "row" in facts ? causeOfTransaction(facts.row) : causeOfRefundDue(facts.order),
    actions: ["take_instead", ...PAID_BACK, "retry", "handle"],
    text: (facts) =>
      "row" in facts ? paidText(facts) : text("problems", "overpaid", { ...facts }),
  }),

  /** The service received another sum than was asked for. Nothing was captured. */
  amount_differs: ofRow(["accept_amount", ...PAID_BACK, "retry", "handle"]),

  /** Another currency came than was asked for. Nothing was captured, and Medusa can book nothing of it. */
  currency_differs: ofRow(["handle", "retry"]),

  /** For one of our transactions, the service names another merchant or another reference. */
  not_ours: ofRow(["retry", "handle"]),

  /** The service used a status that no option names. All payments with it stay pending. */
  unknown_status: entry<{ merchant: string; status: string }>({
    cause: ({ merchant, status }) => causeOfStatus(merchant, status),
    actions: ["retry", "handle"],
  }),

  /** The service took back a payment that it had confirmed. Medusa may hold it as captured. */
  reversed: ofRow(["refunded_outside", "retry", "handle"]),

  /** A person handled this money, and the service now says something else about it. */
  changed_since_handled: ofRow(["handle", "refunded_outside", "retry"]),

  /**
   * A refund was asked for, or the order was canceled, and the money has not gone back. The sum is what was asked for or paid too
   * much, whichever is larger.
   */
  refund_due: entry<{
    row: string
    order: string
    due: Sum
    /** The refund requests that are still due; none for a canceled order, because all of its money is due. */
    requests: { amount: string; at: string }[]
  }>({
    // It may always open again: what a person decides about it is in the ledger, see `reportBalances`.
    cause: ({ order }) => causeOfRefundDue(order),
    actions: ["pay_out", "refunded_outside", "handle"],
    text: ({ order, due: left, requests }) => {
      const each = requests.map(({ amount, at }) =>
        text("problems", "request", { sum: { amount, currency: left.currency }, at })
      )
      const times = text("counted", "times", { count: requests.length })
      const several = { times, requests: joined(each, "; ") }
      // Medusa keeps no refund that was refused, so only a person can tell a second request from a repeated one.
      const asked = requests.length > 1 ? text("problems", "asked_several_times", several) : NOTHING
      return text("problems", "refund_due", { order, left, asked })
    },
  }),

  /** An order that was placed before its payment was not paid in time, and the plugin did not cancel it. */
  order_unpaid: entry<{
    order: string
    /** Medusa's reason for not canceling the order, or the sum that is still to be paid for one that was not to be canceled. */
    refusal: Refusal | null
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

  /**
   * The process that made an order died before the end. Linked to its cart, the order takes the payment by itself. Otherwise the
   * cart is not ordered again until you decide.
   */
  order_half_made: entry<{
    order: string
    name: string
    cart: string
    /** Whether the order is the cart's; else nothing shows whose it is. */
    isLinked: boolean
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

  /** A paid order owes more than a person accepted, for example after an edit. */
  order_underpaid: entry<SumsOfOrder & { owed: Sum }>({
    cause: ({ order }) => causeOfBalance(order),
    actions: ["handle", "retry"],
  }),

  // The daily comparison finds these two again each day, so only other facts open one that a person has closed.

  /** The service lists a paid transaction that this store does not know. */
  payment_not_here: entry<NotHereFacts>({
    cause: (facts) =>
      facts.found === "foreign_payments"
        ? ofMerchant("records")(facts)
        : causeOfRecord(facts.merchantId, facts.record),
    opensAgainBy: ["found", "listed"],
    actions: ["handle"],
    text: (facts) => {
      if (facts.found === "foreign_payments") {
        const { merchantId, from, to, count } = facts
        const payments = text("counted", "payments", { count })
        const sums = joined(facts.sums.map(money), ", ")
        return text("problems", facts.found, { merchantId, from, to, count, payments, sums })
      }
      const { status, ...sum } = facts.listed
      const payment = text("problems", "paid_record", { record: facts.record, sum, status })
      return text("problems", facts.found, { payment })
    },
  }),

  /** The service does not confirm a payment any more, or Medusa holds one that it never confirmed, or lost one. */
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

  /** A callback came to the right address and named no transaction. */
  callback_unreadable: entry<Record<string, never>>({
    cause: () => CALLBACK_UNREADABLE,
    actions: ["handle"],
  }),

  /** The service has been silent for ten minutes, or about one transaction, or no comparison succeeded for two days. */
  service_unreachable: entry<
    | (Merchant & { since: string; uncompared?: Refusal })
    /** One transaction could not be read: for a week, when it differed in a comparison, or for ten minutes after news of it. */
    | { row: string; transaction: string; reason: Refusal; found?: "unread" | "named" }
  >({
    cause: (facts) => {
      if ("row" in facts) return causeOfUnread(facts.row)
      return facts.uncompared ? causeOfNoComparison(facts) : causeOfSilence(facts)
    },
    actions: ["retry", "handle"],
    text: (facts) => {
      if ("row" in facts) {
        return text("problems", facts.found ?? "given_up", { why: refusalText(facts.reason) })
      }
      const { uncompared, ...silent } = facts
      return uncompared
        ? text("problems", "not_compared", { ...silent, why: refusalText(uncompared) })
        : text("problems", "service_unreachable", silent)
    },
  }),

  /** The service refuses the merchant's secret. Nothing can be opened or read. */
  credentials_refused: entry<Merchant>({
    cause: causeOfRefusedCredentials,
    actions: ["handle"],
  }),

  /** One method failed to open five payments in a row, or for two minutes. Customers cannot pay that way. */
  payments_not_opened: entry<
    Merchant & {
      method: string
      /** The number of creations that failed since the last payment was opened with it, and the time of the first. */
      failures: number
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

  /** Payments wait at an address, or for a merchant, that no account has any more. */
  not_configured: entry<Merchant & { count: number; oldest: string }>({
    cause: causeOfMissingAccount,
    actions: ["handle"],
    text: (facts) => {
      const transactions = text("counted", "transactions", { count: facts.count })
      return text("problems", "not_configured", { ...facts, transactions })
    },
  }),

  /** Nobody has known for ten minutes whether a payout went through. */
  payout_unknown: entry<{ payout: string; sum: Sum; card: string | null; since: string }>({
    cause: ({ payout }) => causeOfPayout(payout),
    // It ends when the payout is sent again or marked.
    actions: [],
    text: ({ card, ...facts }) => {
      const to = card ? text("problems", "to_card", { card }) : NOTHING
      return text("problems", "payout_unknown", { ...facts, card: to })
    },
  }),
}

export type ProblemKind = keyof typeof CATALOGUE
export const PROBLEM_KINDS = Object.keys(CATALOGUE) as ProblemKind[]
const ENTRIES = new Map<string, ProblemEntry<never>>(Object.entries(CATALOGUE))

export type FactsOf<Kind extends ProblemKind> = Parameters<(typeof CATALOGUE)[Kind]["cause"]>[0]

export interface FoundProblem {
  kind: ProblemKind
  cause: string
  facts: FactsOf<ProblemKind>
}

export function problem<Kind extends ProblemKind>(kind: Kind, facts: FactsOf<Kind>): FoundProblem {
  return { kind, cause: CATALOGUE[kind].cause(facts as never), facts }
}

/** The facts that open this problem again when they differ (`ProblemEntry`); null when its beginning decides. */
export function factsThatOpenAgain({ kind, facts }: FoundProblem) {
  const names: readonly string[] | undefined = CATALOGUE[kind].opensAgainBy
  const named = Object.entries(facts).filter(([name]) => names?.includes(name))
  return names ? Object.fromEntries(named) : null
}

/** The text of a problem as it is stored; its kind, when that is of another version of this package. */
export function textOf({ kind, facts }: { kind: string; facts: object }): Text {
  const known = ENTRIES.get(kind)
  if (!known) return { en: kind, ru: kind }
  return known.text?.(facts as never) ?? text("problems", kind as Code<"problems">, { ...facts })
}

const ORDER_ID = /\border_[0-9A-HJKMNP-TV-Z]{26}\b/g

export const orderIdsIn = ({ en }: Text): string[] => en.match(ORDER_ID) ?? []

/** A text with orders' numbers in place of their ids, because admins know them by these; an id without a number stays. */
export function withOrderNumbers(text: Text, numbers: Map<string, number>): Text {
  const named = (words: string) =>
    words.replace(ORDER_ID, (id) => (numbers.has(id) ? `#${numbers.get(id)}` : id))
  return { en: named(text.en), ru: named(text.ru) }
}

/** Says what closes a problem of this kind without an admin; null where waiting is wrong, and for a kind of another version. */
export const closingOf = (kind: string): Text | null =>
  hasText("closes", kind) ? text("closes", kind) : null

/** Says what an admin should do about a problem of this kind, with its order's number if known; null for a kind of another version. */
export function adviceOf(kind: string, number: number | null = null): Text | null {
  if (!hasText("advice", kind)) return null
  const named = number === null ? "the_order" : "order_named"
  return text("advice", kind, { order: text("problems", named, { number: String(number) }) })
}

/** The actions of an admin for a problem of this kind; without a transaction only mark it as handled, except `unknown_status`. */
export function actionsFor(kind: string, hasTransaction = true): readonly ProblemAction[] {
  const actions = ENTRIES.get(kind)?.actions ?? ["handle"]
  return hasTransaction || !actions.length || kind === "unknown_status" ? actions : ["handle"]
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
  const untold = reasons.filter((one) => !("what" in one && one.what === TOLD[exception]))
  const isOfAmount = exception === "amount_less" || exception === "amount_more"
  return text("problems", isOfAmount ? "amount_differs" : exception, {
    asked,
    paid,
    late: late ? text("problems", "late") : NOTHING,
    why: untold.length ? text("problems", "why", { why: reasonsText(untold) }) : NOTHING,
  })
}

/** The problem that a transaction's row shows, or null when it shows none that a person must look at. */
export function problemOf(row: Transaction): FoundProblem | null {
  const { exception } = row
  if (!exception || !needsPerson(row)) return null
  if (exception === "unknown_status") {
    return problem("unknown_status", { merchant: row.merchant_id, status: row.status ?? "" })
  }
  return problem(KIND_OF[exception], {
    row: row.id,
    exception,
    asked: { amount: row.amount, currency: row.currency },
    paid: paidSum(row),
    late: row.paid_late,
    reasons: row.exception_reasons ?? [],
  })
}

const KIND_OF = {
  completion_failed: "paid_without_order",
  payment_canceled: "paid_without_order",
  session_gone: "paid_after_change",
  session_differs: "paid_after_change",
  cart_changed: "paid_after_change",
  order_canceled: "paid_after_change",
  merchant_differs: "not_ours",
  reference_differs: "not_ours",
  amount_less: "amount_differs",
  amount_more: "amount_differs",
  paid_twice: "paid_twice",
  currency_differs: "currency_differs",
  reversed: "reversed",
  changed_since_handled: "changed_since_handled",
} as const satisfies Record<Exclude<TransactionException, "unknown_status">, ProblemKind>
