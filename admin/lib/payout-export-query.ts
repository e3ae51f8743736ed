import { lastDayBefore } from "./address-filters"
import { type ExportQuery, timeZone } from "./export-query"
import { useFormat } from "./format"
import { usePayoutFilters } from "./payout-list-query"

/** The filters of the list of payouts, from the address bar. */
export function usePayoutExportQuery(): ExportQuery {
  const { t, word, day, language } = useFormat()
  // A file has its own order.
  const { order: _order, ...filters } = usePayoutFilters()
  const { q, state, account, created_at } = filters
  return {
    file: "payouts",
    source: "payouts",
    query: { ...filters, locale: language, time_zone: timeZone() },
    filters: [
      { name: t("exports.search"), value: q ?? "" },
      {
        name: t("fields.state"),
        value: (state ?? []).map((one) => word("payout.states", one)).join(", "),
      },
      { name: t("fields.account"), value: (account ?? []).join(", ") },
      { name: t("payout.export.since"), value: created_at?.gte ? day(created_at.gte) : "" },
      {
        name: t("payout.export.until"),
        value: created_at?.lt ? day(lastDayBefore(created_at.lt)) : "",
      },
    ].filter(({ value }) => value),
  }
}
