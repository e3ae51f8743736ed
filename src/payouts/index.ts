/**
 * Money out, to ruble cards. A payout is a draft, approved if the store asks for it, `sending`, and then created, rejected or unknown.
 * Only named users act (`draft-payout.ts`). Key, digest of the card and attempt are committed before the request, and an unknown payout is
 * never sent again by itself: a person says what happened (`markPayout`). `statements/payouts.ts` is the only writer; each change
 * is one transaction with its entry in the journal and its event. The claim (`sendPayout`) counts the day's limit and looks at the stop
 * in that transaction, and once more before the request.
 *
 * A draft that pays something back names its problem and its payment. It is checked once, in its claim, under the lock that settles
 * and admins take. When it is created, or marked as sent, the same transaction enters a line of kind `payout` in the payment's ledger
 * that names the payout and the problem. There it answers the oldest refunds that were asked for (`dueOf`), and `bookMoneyBack` has
 * Medusa book it.
 *
 * All of it is plain functions and no workflow, because Medusa stores a workflow's input, and a typed card number is in memory for one
 * request only.
 */

export { type Acting, actingAs, barOf, listSavedCards, ONLY_ACCOUNT } from "./draft-payout"
export { approvePayout, discardPayout, editPayout, makePayout } from "./draft-payout"
export { payoutFilter, payoutView, payoutViews, person } from "./payout-view"
export { markPayout, sendPayout } from "./send-payout"
