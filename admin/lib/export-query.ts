import { useQueryParams } from "@medusajs/dashboard/hooks"
import { useSearchParams } from "react-router-dom"

import { useServiceFilters } from "../components/service-transactions"
import { queryOf, STORE_FILTERS } from "../components/store-transactions"
import { useLanguage } from "./format"

/** The exported part of a list. */
export interface ExportQuery {
  /** The file's name in the address, without its format. */
  file: "transactions" | "payouts"
  source: "store" | "service" | "payouts"
  query: Record<string, unknown>
}

export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The filters of the list of transactions, from the address bar. */
export function useExportQuery(): ExportQuery {
  const [search] = useSearchParams()
  const locale = useLanguage()
  const { filters } = useServiceFilters()
  const { limit: _limit, offset: _offset, ...query } = queryOf(useQueryParams(STORE_FILTERS))
  const file = "transactions"
  return search.get("source") === "service"
    ? { file, source: "service", query: { ...filters, source: "service", locale } }
    : {
        file,
        source: "store",
        query: { ...query, source: "store", locale, time_zone: timeZone() },
      }
}
