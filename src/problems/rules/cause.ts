import { type Merchant, merchantAccountId } from "../../payments/rules/transaction"

/**
 * A cause identifies a problem: when it is seen again, the open problem is updated, and no second one opens. Causes are stored, so a
 * new spelling needs a migration. SQL repeats some of them in `payments/statements/`, in `rules-in-sql.ts` and `due-transactions.ts`.
 */

/** Something wrong with a transaction's money, as `problemOf` reads it from the row. */
export const causeOfTransaction = (rowId: string) => `transaction:${rowId}`
/** A status name that no option lists: one problem for all transactions with it. */
export const causeOfStatus = (merchantId: string, status: string) =>
  `status:${merchantId.toLowerCase()}:${status}`

export const causeOfHalfMadeOrder = (orderId: string) => `unfinished:${orderId}`
/** Money of an order that must be paid back: it was canceled, paid too much, or a refund was asked for. */
export const causeOfRefundDue = (orderId: string) => `refund:${orderId}`
/** A payout whose outcome nobody knows. */
export const causeOfPayout = (payoutId: string) => `payout:${payoutId}`
/** An order that is owed money. */
export const causeOfBalance = (orderId: string) => `balance:${orderId}`

export const CALLBACK_UNREADABLE = "callback:unreadable"

/** A transaction that the watcher gave up without an answer. */
export const causeOfUnread = (rowId: string) => `unread:${rowId}`
/** A merchant account for which the service has not answered for a long time. */
export const causeOfSilence = (merchant: Merchant) => `unreachable:${merchantAccountId(merchant)}`
/** A merchant account whose payments no comparison could look at for days. */
export const causeOfNoComparison = (merchant: Merchant) =>
  `comparison:${merchantAccountId(merchant)}`
export const causeOfRefusedCredentials = (merchant: Merchant) =>
  `credentials:${merchantAccountId(merchant)}`
/** A merchant account for which the service opens no payment with this method. */
export const causeOfFailedOpenings = (merchant: Merchant, method: string) =>
  `openings:${method}:${merchantAccountId(merchant)}`
/** Transactions that cannot be read, because no configured account has their merchant and address. */
export const causeOfMissingAccount = (merchant: Merchant) =>
  `configuration:${merchantAccountId(merchant)}`

/** A payment that the service had confirmed and does not confirm any more. */
export const causeOfMissing = (rowId: string) => `missing:${rowId}`
/** A payment that Medusa had taken and that is not there any more, or whose order is not. */
export const causeOfGone = (rowId: string) => `gone:${rowId}`
/** A listed payment without a row of ours. */
export const causeOfRecord = (merchantId: string, recordId: string) =>
  `record:${merchantId.toLowerCase()}:${recordId.toLowerCase()}`
/** All listed payments that carry no reference of this store. */
export const causeOfForeignPayments = (merchant: Merchant) =>
  `records:${merchantAccountId(merchant)}`
/** A payment in Medusa that the service or our row does not confirm. */
export const causeOfPayment = (paymentId: string) => `payment:${paymentId}`
