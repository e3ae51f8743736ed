/**
 * Money or an order in a state that a person must look at. `rules/problems.ts` has the kinds: each is one entry there and its texts
 * (`texts.*.json`), and needs no migration, because the table keeps kind and facts. A cause identifies a problem: seen again, it is
 * updated, and no second one opens. `statements/problems.ts` alone writes the table, and a problem that is over by itself is closed in
 * the statement that ends it. An admin's act on a problem is a function of `actions.ts`. It runs under `actOnProblem`: it holds what a
 * settle holds, is refused when the sums that the admin saw have changed, and is entered in the transaction's journal.
 */

export * from "./actions"
export { actOnTransaction } from "./open-problem"
export { notificationOf, problemViews } from "./problem-view"
