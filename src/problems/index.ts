/**
 * Money or an order in a state that a person must look at. `rules/problems.ts` has the kinds: each is one entry there
 * and its texts (`texts.*.json`), and needs no migration, because the table keeps kind and facts. A cause identifies a
 * problem: seen again, it is updated, and no second one opens. `statements/problems.ts` alone writes the table, and what is over by itself
 * is closed in the statement that ends it. What an admin does about a problem is a function beside this file. It runs under
 * `actOnProblem`: it holds what a settle holds, is refused when the sums that the admin saw have changed, and is entered in the
 * transaction's journal. Accepting a payment makes a session for it (`context.adopt`), after which it settles like any other.
 */

export {
  acceptPayment,
  type AcceptPaymentInput,
  type EndHalfMadeInput,
  endHalfMadeOrder,
  retryProblem,
} from "./act-and-settle"
export { askRefund, findRefundable, identifyTransaction } from "./act-on-transaction"
export { handleProblem } from "./handle-problem"
export { notificationOf } from "./notification"
export { actOnTransaction } from "./open-problem"
export { problemViews } from "./problem-view"
export { recordRefundOutside } from "./record-refund-outside"
