/**
 * The daily comparison with the service's own list, in both directions. `find-differences.ts` streams the list and finds rows that
 * differ, paid records without a row, paid rows that the list lacks, and captured payments of Medusa's without a row; it also looks
 * whether payments and orders are still there, and what orders are owed. `reconcile.ts` has the queue settle the rows that differ: the
 * settle alone judges. A comparison remembers nothing but problems, so one that died is made again; each is kept for 90 days
 * (`statements/runs.ts`), the latest of a merchant tells when the next is due, and a lease lets one run at a time. `service-list.ts`
 * keeps the service's answers for its page in the dashboard, because the service has no paging.
 */

export { tellOfGone } from "./find-differences"
export { compareNow, reconcile, RECONCILIATION_LEASE } from "./reconcile"
export { twoSides } from "./rules/comparison"
export * from "./service-list"
