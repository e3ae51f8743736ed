/** The answers of the routes of the overview, the comparisons and the connection. Amounts are decimal text. */

import type { Page, StatusMeaning, Text } from "./api"

export interface PaidByMethod {
  method: string
  currency: string
  count: number
  amount: string
}

export interface PaidOfDay extends PaidByMethod {
  day: string
}

export interface UnpaidSum extends PaidByMethod {
  /** Our row's state; `not_kept` when it was paid and taken back, or is not this store's. */
  status: string
}

interface CartCount {
  opened: number
  paid: number
}

/** In seconds. */
interface TimeToPay {
  median: number | null
  p90: number | null
}

export interface WaitingMoney {
  kind: string
  age: "day" | "week" | "older"
  currency: string | null
  count: number
  amount: string | null
}

export interface MoneyUnderWay {
  standing: "payable" | "waiting_for_medusa"
  currency: string
  count: number
  amount: string
}

interface WatcherState {
  looked_at: string | null
  waiting_since: string | null
  silences: {
    merchant_id: string
    base_url: string
    since: string
    paused_until: string | null
  }[]
}

export interface Comparison {
  id: string
  merchant_id: string
  base_url: string
  state: "running" | "interrupted" | "ended_early" | "records_unreadable" | "done"
  from: string
  to: string
  started_at: string
  finished_at: string | null
  records: number
  matched: number
  differences: number
  settled: number
  problems: number | null
  error: string | null
  error_messages: Text | null
}

export interface OverviewAnswer {
  from: string
  to: string
  time_zone: string
  before: { from: string; to: string }
  days: string[]
  paid: { days: PaidOfDay[]; totals: PaidByMethod[]; before: PaidByMethod[] }
  not_paid: UnpaidSum[]
  carts: CartCount & { before: CartCount }
  time_to_pay: TimeToPay & { before: TimeToPay }
  waiting: WaitingMoney[]
  under_way: MoneyUnderWay[]
  machinery: {
    last_callback_at: string | null
    watcher: WatcherState
    comparison: { last: Comparison | null; running: boolean }
  }
}

export interface ComparisonsAnswer extends Page {
  comparisons: Comparison[]
  running: boolean
}

export interface CompareAnswer {
  begun: { merchant_id: string; base_url: string; from: string; to: string }[]
}

export interface CheckResult {
  outcome: string
  messages: Text | null
  http_status: number | null
}

export interface AccountCheck {
  account: string | null
  merchant_id: string
  base_url: string
  checked_at: string
  credentials: CheckResult
  signature: CheckResult | null
  clock_ahead_seconds: number | null
}

export interface CheckAnswer {
  checks: AccountCheck[]
}

export interface ConnectedAccount {
  id: string | null
  merchant_id: string
  base_url: string
  has_signing_secret: boolean
  currencies: string[]
  order_placement: "after_payment" | "before_payment"
  /** The open problems of its methods with which no payment can be opened. */
  opening_problems: { id: string; messages: Text }[]
}

export interface CallbackToken {
  id: string
  source: "generated" | "option"
  created_at: string
  replaced_at: string | null
  /** When somebody last asked the address. */
  reached_at: string | null
}

export interface Shared {
  name: string
  is_shared: boolean
}

export interface ConnectionAnswer {
  accounts: ConnectedAccount[]
  callback_url: string
  callback_tokens: CallbackToken[]
  /** Options that no live store should have. */
  warnings: { code: string; messages: Text }[]
  callbacks: {
    last_received_at: string | null
    last_unreadable_at: string | null
    problem_id: string | null
  }
  regions: {
    id: string
    name: string
    currency: string
    methods: {
      provider_id: string
      method: string
      account: string
      has_account: boolean
      takes_currency: boolean
    }[]
  }[]
  event_bus: Shared
  locking: Shared
  statuses: {
    merchant_id: string
    base_url: string
    status: string
    count: number
    meaning: StatusMeaning
  }[]
  /** Statuses in the latest list of the service that no option names; null while no list is kept. */
  listed_statuses: { fetched_at: string; statuses: { status: string; count: number }[] } | null
  unknown_places: { merchant_id: string; base_url: string; count: number }[]
  watcher: WatcherState
  payouts: {
    enabled: boolean
    approval: boolean
    /** Whole rubles; null where payouts are switched off and the options give none. */
    per_day: number | null
    /** Their names, or the ids of those who are no users of the store. */
    users: string[]
  }
}
