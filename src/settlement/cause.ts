import { type Place, placeId } from "./place-id"

/**
 * What makes it the same problem when it is seen again: there is one open problem per cause. All causes
 * are named here. They are kept in `payment_service_problem`, so a spelling that changes needs a migration.
 * Those that SQL must know stand in `modules/payment-service/problems.ts` once more.
 */

/** What a transaction's row shows of its money. */
export const causeOfTransaction = (rowId: string) => `transaction:${rowId}`
/** A status name that no option knows, whichever transactions have it. */
export const causeOfStatus = (merchantId: string, status: string) =>
  `status:${merchantId.toLowerCase()}:${status}`

/** An order that was placed before its payment, which did not come. */
export const causeOfUnpaidOrder = (orderId: string) => `unpaid:${orderId}`
/** Money that is held for an order that was canceled. */
export const causeOfRefundDue = (rowId: string) => `refund:${rowId}`
/** What an order is owed, or was paid too much, though money was taken for it. */
export const causeOfBalance = (orderId: string) => `balance:${orderId}`

/** What a callback that was given up is waiting for: its transaction being read. */
export const causeOfParkedCallback = (rowId: string) => `callback:${rowId}`
export const CALLBACK_UNREADABLE = "callback:unreadable"

/** A transaction that the watcher gave up without an answer. */
export const causeOfUnread = (rowId: string) => `unread:${rowId}`
/** A place where the service has answered nothing for long. */
export const causeOfSilence = (place: Place) => `unreachable:${placeId(place)}`
export const causeOfRefusedCredentials = (place: Place) => `credentials:${placeId(place)}`
/** Transactions that nobody may look at, because no account leads to their place. */
export const causeOfMissingAccount = (place: Place) => `configuration:${placeId(place)}`

/** What the service's list says of one of our rows. */
export const causeOfComparison = (rowId: string) => `reconciliation:${rowId}`
/** A listed payment that we have no row of. */
export const causeOfRecord = (merchantId: string, recordId: string) =>
  `record:${merchantId.toLowerCase()}:${recordId.toLowerCase()}`
/** All listed payments that carry no reference of this store. */
export const causeOfForeignPayments = (place: Place) => `records:${placeId(place)}`
/** A payment in Medusa that nothing at the service stands for. */
export const causeOfPayment = (paymentId: string) => `payment:${paymentId}`
