/** The answers of the plugin's admin routes. Amounts are decimal text, moments ISO 8601. */

import type { PayoutsOfOrderAnswer } from "./payouts-api"

export type Language = "en" | "ru"
export type Text = Record<Language, string>

type State = "creating" | "refused" | "unknown" | "pending" | "paid" | "canceled" | "expired"
export type Standing =
  | "opening"
  | "not_opened"
  | "unanswered"
  | "payable"
  | "over"
  | "waiting_for_medusa"
  | "settled"
  | "waiting_for_person"
  | "taken_care_of"

export interface ListedTransaction {
  id: string
  transaction_id: string | null
  account: string
  merchant_id: string
  method: string
  provider_id: string
  state: State
  standing: Standing
  exception: string | null
  status: string | null
  amount: string
  currency: string
  read_amount: string | null
  read_currency: string | null
  accepted_amount: string | null
  paid_late: boolean
  session_id: string
  payment_collection_id: string
  cart_id: string | null
  order_id: string | null
  order_number: number | null
  customer_id: string | null
  opened_at: string
  expires_at: string | null
  paid_at: string | null
  settled_at: string | null
  handled_at: string | null
  read_at: string | null
}

export interface ShownTransaction extends ListedTransaction {
  base_url: string
  description: string | null
  redirect: string | null
  qr: string | null
  usdt_rate: string | null
  amount_usdt: string | null
  commission: string | null
  commission_usdt: string | null
  apply_attempts: number
  apply_after: string | null
  watch_at: string | null
  hinted_at: string | null
  deferred_at: string | null
}

export interface JournalEntry {
  at: string
  kind: string
  facts: Record<string, unknown>
  by: string | null
  by_name: string | null
}

export type ProblemAction =
  | "retry"
  | "place_order"
  | "accept_amount"
  | "take_instead"
  | "link_order"
  | "replace_order"
  | "pay_out"
  | "refunded_outside"
  | "handle"

export interface Problem {
  id: string
  kind: string
  messages: Text
  /** Tells what closes it without an admin; null when it is closed. */
  closes: Text | null
  actions: ProblemAction[]
  account: string | null
  method: string | null
  order_number: number | null
  amount: string | null
  currency: string | null
  cart_total: string | null
  /** The payments with the status that the problem is about, by currency; null for other kinds. */
  payments: { currency: string; count: number; amount: string }[] | null
  /** The state of paying its money out; sums are decimal text. */
  pay_out: PayOut | null
  /** The sum of a refund outside whose recording was broken off; only this sum finishes it. */
  refund_begun: string | null
  /** The facts from which its texts are made. */
  facts: Record<string, unknown> | null
  transaction_row_id: string | null
  transaction_id: string | null
  session_id: string | null
  cart_id: string | null
  order_id: string | null
  customer_id: string | null
  customer_email: string | null
  opened_at: string
  closed_at: string | null
  resolution: string | null
  note: string | null
  closed_by: string | null
  closed_by_name: string | null
}

/** The sums paid out of a problem's money, and the payouts that are possible now, in whole rubles. */
export interface PayOut {
  left: string
  outside: string
  under_way: string
  drafts: string
  /** The sum beyond all of these; `parts` and `rest` show how it is split. */
  free: string
  parts: number[]
  rest: string
  account: string | null
}

export interface ProblemsAnswer extends Page {
  problems: Problem[]
}

/** A problem and its transaction after a deed. */
export interface ProblemAnswer {
  problem: Problem
  /** If the problem is closed: the latest open one of its transaction. */
  next_problem: Problem | null
  transaction: {
    id: string | null
    state: State
    exception: string | null
    exception_reason: Text | null
    order_id: string | null
  } | null
  /** Of a retry: the number of payments that were settled again, and of those that the watcher settles next. */
  retried?: { now: number; left: number }
  /** Of a recorded refund: whether Medusa books it only when the order's open change has ended. */
  waits_for_change?: boolean
}

export interface RefundProof {
  id: string
  amount: string
  currency: string
  kind: string
  payout_id: string | null
  /** When an admin recorded the refund that a payout proves; null until then. */
  note: string | null
  given_by: string | null
  given_by_name: string | null
  given_at: string
}

export interface TransactionAnswer {
  transaction: ShownTransaction & { customer_email: string | null }
  verdict: { kind: string; messages: Text }
  journal: JournalEntry[]
  problems: Problem[]
  refund_proofs: RefundProof[]
  attempts: ListedTransaction[]
}

export interface Page {
  count: number
  limit: number
  offset: number
}

export interface TransactionsAnswer extends Page {
  transactions: TransactionOfList[]
}

export interface TransactionOfList extends ListedTransaction {
  /** Null for a guest whom Medusa does not know. */
  customer: { email: string; name: string | null } | null
}

export interface ListedRecord {
  record_id: string
  recorded_at: string | null
  amount: string
  currency: string
  status: string
  meaning: StatusMeaning
  method: string | null
  description: string | null
  payload: string | null
  transaction_row_id: string | null
  order_id: string | null
  order_number: number | null
  cart_id: string | null
}

/** The meaning that the options give a status of the service. */
export type StatusMeaning = "paid" | "pending" | "canceled" | "expired" | "reversed" | "unknown"

export interface RecordTotal {
  status: string
  meaning: StatusMeaning
  method: string | null
  currency: string
  count: number
  amount: string
}

/** The owner of a list of the service; the account has no name in a store with one. */
export interface ListOwner {
  account: string | null
  merchant_id: string
}

export interface ServiceTransactionsAnswer extends Page, ListOwner {
  transactions: ListedRecord[]
  totals: RecordTotal[]
  /** Names the service's answer, which stays the same for some minutes. */
  fetch: string
  fetched_at: string
  /** The answer is another one than that of the page before. */
  fetched_anew: boolean
  /** Why records are missing, and how many; `detail` is the technical reason, in English. */
  warning: { code: string; messages: Text; detail: string; unreadable: number | null } | null
  codes: { statusCodes: Record<string, string>; methodCodes: Record<string, string> }
}

export interface ServiceRecord {
  id: string
  status: string
  amount: string
  currency: string
  merchantId: string | null
  payload: string | null
  merchantName: string | null
  commission: string | null
  commissionUsdt: string | null
  commissionType: number | null
  amountUsdt: string | null
  paymentMethod: string | null
  expiresInSeconds: number | null
  returnUrl: string | null
  payformSuccessUrl: string | null
  qr: string | null
  externalId: string | null
  description: string | null
  /** Fields that the service's specification does not name, by their raw names. */
  others: Record<string, string | number | boolean>
}

interface ComparedRecord {
  record_id: string
  amount: string
  currency: string
  status: string
  seen_at: string
  problem_id: string
}

/** The latest payments of an order or a customer, and the open problems of either, with the number of all of them. */
export interface PaymentsAnswer {
  /** Those of an order begin with the one that says what became of it; only the one to be paid has its address and QR. */
  payments: (ShownTransaction & { verdict: { kind: string; messages: Text } })[]
  count: number
  problems: Problem[]
  problem_count: number
  /** The sum that a payout for the order may pay back when no problem asks for it; decimal text, in rubles. */
  pay_out: Pick<PayOut, "left" | "account"> | null
  /** The payouts of an order; null for a reader who may not see payouts. */
  payouts: PayoutsOfOrderAnswer | null
}

/** Why a merchant could not be asked; `detail` is the technical reason, in English. */
interface FailedQuestion extends ListOwner {
  code: string
  messages: Text
  detail: string
}

/** The service's present record of a transaction, its record in the list, or what a comparison saw of it. */
export interface RecordAnswer {
  record: ServiceRecord | null
  /** Its time is in the zone of the list in which it was. */
  listed: (ListedRecord & { time_zone: string }) | null
  compared: ComparedRecord | null
  transaction_row_id: string | null
  failures: FailedQuestion[]
}
