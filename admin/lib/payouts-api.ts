/** The answers of the routes about payouts. Rubles are whole numbers, USDT decimal text, moments ISO 8601. */

import type { Page, Text } from "./api"

/** The same as in `settlement/payouts/payout.ts`; a test compares the two. */
export const PAYOUT_STATES = [
  "draft",
  "awaiting_approval",
  "sending",
  "created",
  "rejected",
  "unknown",
  "marked_sent",
  "marked_not_sent",
  "discarded",
] as const
export type PayoutState = (typeof PAYOUT_STATES)[number]

/** The deeds on a payout, the same as in `settlement/payouts/deeds.ts`; a test compares the two. */
export const PAYOUT_ACTIONS = ["edit", "approve", "send", "send_again", "mark", "discard"] as const
export type PayoutAction = (typeof PAYOUT_ACTIONS)[number]

interface Person {
  id: string
  name: string
}

/** A card as shown: at most its last four digits. */
interface ShownCard {
  card_id: string | null
  card_masked: string | null
  card_brand: string | null
  card_label: string | null
}

export interface Payout extends ShownCard {
  id: string
  state: PayoutState
  revision: number
  /** The number of requests that were made for it. */
  attempts: number
  account: string
  merchant_id: string
  amount: number
  currency: string
  recipient: "saved_card" | "typed_number"
  amount_usdt: string | null
  withdrawal_record_id: string | null
  /** Null until it was sent. */
  idempotency_key: string | null
  reason: (Text & { code: string }) | null
  note: string | null
  order_id: string | null
  order_display_id: number | null
  problem_id: string | null
  transaction_row_id: string | null
  made_by: Person
  approved_by: Person | null
  sent_by: Person | null
  marked_by: Person | null
  created_at: string
  approved_at: string | null
  sent_at: string | null
  answered_at: string | null
  marked_at: string | null
  mark_note: string | null
  /** The reader's possible deeds now. */
  actions: PayoutAction[]
  needs_card_number: boolean
}

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
export interface PayoutsOfOrderAnswer {
  payouts: Payout[]
  /** Their total number. */
  count: number
  /** The smallest amount that the reader may pay out; null for a reader who may pay nothing out. */
  smallest: number | null
}

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
  stopped: { at: string; by: Person | null } | null
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
