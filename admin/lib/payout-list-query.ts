import { useQueryParams } from "@medusajs/dashboard/hooks"

import { codesIn, datesIn } from "./address-filters"
import { type ExportQuery, timeZone } from "./export-query"
import { useLanguage } from "./format"
import { pageAt } from "./lists"

/** The payout list's filters in the address bar, in the form of the routes. */
export function usePayoutFilters() {
  const { q, order, state, account, created_at } = useQueryParams([
    "q",
    "order",
    "state",
    "account",
    "created_at",
  ])
  const [states, accounts, { from, to }] = [codesIn(state), codesIn(account), datesIn(created_at)]
  return {
    ...(q ? { q } : {}),
    ...(order ? { order } : {}),
    ...(states ? { state: states } : {}),
    ...(accounts ? { account: accounts } : {}),
    ...(from || to
      ? { created_at: { ...(from ? { gte: from } : {}), ...(to ? { lt: to } : {}) } }
      : {}),
  }
}

/** The list's page in the address bar, with the totals of all pages. */
export function usePayoutListQuery() {
  const { offset } = useQueryParams(["offset"])
  return {
    ...usePayoutFilters(),
    with_totals: true,
    ...pageAt(offset),
  }
}

/** The filters of the list of payouts, from the address bar. */
export function usePayoutExportQuery(): ExportQuery {
  const locale = useLanguage()
  // A file has its own order.
  const { order: _order, ...filters } = usePayoutFilters()
  return {
    file: "payouts",
    source: "payouts",
    query: { ...filters, locale, time_zone: timeZone() },
  }
}
