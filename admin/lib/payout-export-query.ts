import { type ExportQuery, timeZone } from "./export-query"
import { useLanguage } from "./format"
import { usePayoutFilters } from "./payout-list-query"

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
