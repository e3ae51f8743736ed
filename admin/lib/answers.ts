/** The answers of the plugin's admin routes, as JSON: amounts are decimal text, moments ISO 8601. Their types are the routes' own. */

import type { GET as cards } from "../../src/api/admin/payment-service/cards/route"
import type { GET as comparison } from "../../src/api/admin/payment-service/comparisons/[id]/route"
import type {
  GET as comparisons,
  POST as compare,
} from "../../src/api/admin/payment-service/comparisons/route"
import type { POST as check } from "../../src/api/admin/payment-service/connection/check/route"
import type { GET as connection } from "../../src/api/admin/payment-service/connection/route"
import type { GET as overview } from "../../src/api/admin/payment-service/overview/route"
import type { GET as payments } from "../../src/api/admin/payment-service/payments/route"
import type { GET as payoutSettings } from "../../src/api/admin/payment-service/payout-settings/route"
import type { GET as payout } from "../../src/api/admin/payment-service/payouts/[id]/route"
import type { GET as payouts } from "../../src/api/admin/payment-service/payouts/route"
import type {
  refundedOutside,
  retry,
} from "../../src/api/admin/payment-service/problems/[id]/[action]/route"
import type { GET as problem } from "../../src/api/admin/payment-service/problems/[id]/route"
import type { GET as problems } from "../../src/api/admin/payment-service/problems/route"
import type { GET as record } from "../../src/api/admin/payment-service/service-transactions/[id]/route"
import type { GET as records } from "../../src/api/admin/payment-service/service-transactions/route"
import type { GET as settings } from "../../src/api/admin/payment-service/settings/route"
import type { POST as testPayment } from "../../src/api/admin/payment-service/settings/test-payment/route"
import type { GET as subscription } from "../../src/api/admin/payment-service/subscriptions/[id]/route"
import type { GET as subscriptions } from "../../src/api/admin/payment-service/subscriptions/route"
import type { GET as transactions } from "../../src/api/admin/payment-service/transactions/route"
import type { GET as transaction } from "../../src/api/admin/payment-service/transactions/[id]/route"
import type { shownTransaction } from "../../src/payments/transaction-view"
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

/** The answer of each route; a path of two parts leads to an entry of a list. */
export interface Reads {
  cards: Answer<typeof cards>
  comparisons: Answer<typeof comparisons>
  connection: Answer<typeof connection>
  overview: Answer<typeof overview>
  payments: Answer<typeof payments>
  "payout-settings": Answer<typeof payoutSettings>
  payouts: Answer<typeof payouts>
  problems: Answer<typeof problems>
  "service-transactions": Answer<typeof records>
  settings: Answer<typeof settings>
  subscriptions: Answer<typeof subscriptions>
  transactions: Answer<typeof transactions>
  [path: `comparisons/${string}`]: Answer<typeof comparison>
  [path: `payouts/${string}`]: Answer<typeof payout> & PayoutAnswer
  [path: `problems/${string}`]: ProblemAnswer
  [path: `service-transactions/${string}`]: Answer<typeof record>
  [path: `subscriptions/${string}`]: Answer<typeof subscription>
  [path: `transactions/${string}`]: TransactionAnswer
}

export type Comparison = Reads["comparisons"]["comparisons"][number]
export type Difference = Answer<typeof comparison>["differences"][number]
export type CompareAnswer = Answer<typeof compare>

export type ConnectedAccount = Reads["connection"]["accounts"][number]
export type CheckAnswer = Answer<typeof check>
export type AccountCheck = CheckAnswer["checks"][number]

export type AccountSettings = Reads["settings"]["accounts"][number]
export type Option = AccountSettings["options"][number]
export type TestPayment = Answer<typeof testPayment>

export type TransactionAnswer = Answer<typeof transaction>
export type ShownTransaction = Answer<typeof shownTransaction>
export type ListedTransaction = TransactionAnswer["attempts"][number]

export type ListedRecord = Reads["service-transactions"]["transactions"][number]
/** The owner of a list of the service; the account has no name in a store with one. */
export type ListOwner = Pick<Reads["service-transactions"], "account" | "merchant_id">
export type RecordAnswer = Answer<typeof record>

export type ShownSubscription = Answer<typeof subscription>["subscription"]

export type Problem = Answer<typeof problems>["problems"][number]
export type ProblemAction = Problem["actions"][number]
/** A problem and its transaction after what was done, and what some actions add. */
export type ProblemAnswer = Answer<typeof problem> & { problem: Problem } & Partial<
    Answer<typeof retry> & Answer<typeof refundedOutside>
  >

/** A payout; its rubles are a whole number. */
export type Payout = Answer<typeof payouts>["payouts"][number]
export type PayoutState = Payout["state"]
export type PayoutAction = Payout["actions"][number]
/** A payout after what was done. */
export type PayoutAnswer = Record<"payout", Payout>
export type PayoutSettings = Reads["payout-settings"]
export type PayoutEntry = Answer<typeof payout>["journal"][number]
