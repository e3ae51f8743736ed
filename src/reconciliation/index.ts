/**
 * The daily comparison with the service's own list, in both directions. `find-in-list.ts` streams the list and finds rows that differ,
 * paid records without a row, and paid rows that the list lacks; `find-in-medusa.ts` finds captured payments without a row, and
 * `follow-settled.ts` looks whether payments and orders are still there and what orders are owed. `settle-differing.ts` has the queue
 * settle what differs: the settle alone judges. A comparison remembers nothing but problems, so one that died is made again; each is
 * kept for 90 days (`statements/runs.ts`), the latest of a merchant tells when the next is due, and a lease lets one run at a time.
 * `fetch-listing.ts` keeps the service's answers for its page in the dashboard, because the service has no paging.
 */

export { fetchListing, keptListing, type ListedRecord, type ListingQuestion } from "./fetch-listing"
export { tellOfGone } from "./follow-settled"
export { isWanted, RECORDS_SORTED_BY, sortedRecords, totalsOf } from "./list-records"
export { compareNow, reconcile, RECONCILIATION_LEASE } from "./reconcile"
export { twoSides } from "./rules/two-sides"
