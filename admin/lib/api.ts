/** The answers of the plugin's admin routes, as JSON: amounts are decimal text, moments ISO 8601. Their types are the routes' own. */

import type {
  GET as comparisons,
  POST as compare,
} from "../../src/api/admin/payment-service/comparisons/route"
import type { POST as check } from "../../src/api/admin/payment-service/connection/check/route"
import type { GET as connection } from "../../src/api/admin/payment-service/connection/route"
import type { GET as overview } from "../../src/api/admin/payment-service/overview/route"
import type { GET as payments } from "../../src/api/admin/payment-service/payments/route"
import type { payoutViews, stopView } from "../../src/payouts/payout-view"
import type { PayoutState } from "../../src/payouts/rules/payout"
import type { problemViews } from "../../src/problems/problem-view"
import type { GET as record } from "../../src/api/admin/payment-service/service-transactions/[id]/route"
import type { GET as records } from "../../src/api/admin/payment-service/service-transactions/route"
import type { GET as settings } from "../../src/api/admin/payment-service/settings/route"
import type { GET as subscription } from "../../src/api/admin/payment-service/subscriptions/[id]/route"
import type { GET as subscriptions } from "../../src/api/admin/payment-service/subscriptions/route"
import type { GET as transactions } from "../../src/api/admin/payment-service/transactions/route"
import type { wholeView } from "../../src/api/admin/payment-service/transactions/transaction-route"
import type { shownTransaction } from "../../src/payments/transaction-view"
import type { TransactionState } from "../../src/payments/rules/transaction"
import type { Text } from "../../src/texts"

/** A value as it is read from JSON. */
type Json<Value> = Value extends Date
  ? string
  : Value extends string
    ? Value
    : Value extends readonly (infer One)[]
      ? Json<One>[]
      : Value extends object
        ? { [Key in keyof Value]: Json<Value[Key]> }
        : Value
/** The answer of a route, or what a function shows in one. */
type Answer<Route extends (...asked: never[]) => unknown> = Json<
  NonNullable<Awaited<ReturnType<Route>>>
>

export type { Text }
export type Language = keyof Text

export interface Page {
  count: number
  limit: number
  offset: number
}

export type OverviewAnswer = Answer<typeof overview>
export type PaidOfDay = OverviewAnswer["paid"]["days"][number]
export type PaidByMethod = OverviewAnswer["paid"]["totals"][number]
export type UnpaidSum = OverviewAnswer["not_paid"][number]
export type WaitingMoney = OverviewAnswer["waiting"][number]
export type MoneyUnderWay = OverviewAnswer["under_way"][number]

export type ComparisonsAnswer = Answer<typeof comparisons>
export type Comparison = ComparisonsAnswer["comparisons"][number]
export type CompareAnswer = Answer<typeof compare>

export type ConnectionAnswer = Answer<typeof connection>
export type ConnectedAccount = ConnectionAnswer["accounts"][number]
export type CallbackToken = ConnectionAnswer["callback_tokens"][number]
export type Shared = ConnectionAnswer["locking"]
export type CheckAnswer = Answer<typeof check>
export type AccountCheck = CheckAnswer["checks"][number]
export type CheckResult = AccountCheck["credentials"]

export type SettingsAnswer = Answer<typeof settings>
export type AccountSettings = SettingsAnswer["accounts"][number]
export type Option = AccountSettings["options"][number]

export type TransactionsAnswer = Answer<typeof transactions>
export type TransactionOfList = TransactionsAnswer["transactions"][number]
export type TransactionAnswer = Answer<typeof wholeView>
export type ShownTransaction = Answer<typeof shownTransaction>
export type ListedTransaction = TransactionAnswer["attempts"][number]
export type JournalEntry = TransactionAnswer["journal"][number]
export type RefundProof = TransactionAnswer["refund_proofs"][number]
export type Standing = ListedTransaction["standing"]
export type PaymentsAnswer = Answer<typeof payments>

export type ServiceTransactionsAnswer = Answer<typeof records>
export type ListedRecord = ServiceTransactionsAnswer["transactions"][number]
export type RecordTotal = ServiceTransactionsAnswer["totals"][number]
/** The owner of a list of the service; the account has no name in a store with one. */
export type ListOwner = Pick<ServiceTransactionsAnswer, "account" | "merchant_id">
export type RecordAnswer = Answer<typeof record>
export type ServiceRecord = NonNullable<RecordAnswer["record"]>

export type SubscriptionsAnswer = Answer<typeof subscriptions>
export type ListedSubscription = SubscriptionsAnswer["subscriptions"][number]
export type SubscriptionAnswer = Answer<typeof subscription>
export type ShownSubscription = SubscriptionAnswer["subscription"]

export type Problem = Answer<typeof problemViews>[number]
export type ProblemAction = Problem["actions"][number]
export type PayOut = NonNullable<Problem["pay_out"]>

export interface ProblemsAnswer extends Page {
  problems: Problem[]
}

/** A problem and its transaction after an action. */
export interface ProblemAnswer {
  problem: Problem
  /** If the problem is closed: the latest open one of its transaction. */
  next_problem: Problem | null
  transaction: {
    id: string | null
    state: TransactionState
    exception: string | null
    exception_reason: Text | null
    order_id: string | null
  } | null
  /** Of a retry: the number of payments that were settled again, and of those that the watcher settles next. */
  retried?: { now: number; left: number }
  /** Of a recorded refund: whether Medusa books it only when the order's open change has ended. */
  waits_for_change?: boolean
}

/** Its rubles are a whole number. */
export type Payout = Answer<typeof payoutViews>[number]
export type { PayoutState }
export type PayoutAction = Payout["actions"][number]
type Person = Payout["made_by"]

export interface PayoutEntry {
  id: string
  at: string
  kind: string
  facts: Record<string, unknown>
  by: Person | null
  /** The connection's; and what `X-Forwarded-For` named, if the request had it. */
  address: string | null
  forwarded_address: string | null
}

export interface PayoutAnswer {
  payout: Payout
}

export interface PayoutWithJournal extends PayoutAnswer {
  journal: PayoutEntry[]
}

/** The payouts of a day (`YYYY-MM-DD` in the limits' time zone) and state. */
export interface PayoutTotal {
  day: string
  state: PayoutState
  count: number
  amount: number
  amount_usdt: string | null
}

export interface PayoutsAnswer extends Page {
  payouts: Payout[]
  totals?: PayoutTotal[]
}

/** The latest payouts of an order. */
export type PayoutsOfOrderAnswer = NonNullable<PaymentsAnswer["payouts"]>

export interface SavedCard {
  card_id: string
  masked: string | null
  last4: string | null
  brand: string | null
  label: string | null
  status: string
  account: string
}

export interface PayoutSettings {
  enabled: boolean
  approval: boolean
  /** The person who has stopped all payouts, and when; null while they are not stopped. */
  stopped: Answer<typeof stopView> | null
  accounts: { account: string; merchant_id: string; has_signing_secret: boolean }[]
  limits: {
    per_payout: number
    per_day: number | null
    time_zone: string
    used_today: number
    left_today: number | null
  }
  /** The reading admin; null for a script. */
  me: Person | null
  may: { create: boolean; approve: boolean }
  smallest: number
  largest: number
}
