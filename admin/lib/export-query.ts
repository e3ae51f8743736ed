import { useQueryParams } from "@medusajs/dashboard/hooks"
import { useSearchParams } from "react-router-dom"

import { lastDayBefore } from "./address-filters"
import { useServiceFilters } from "../components/service-transactions"
import { queryOf, STORE_FILTERS } from "../components/store-transactions"
import { useFormat } from "./format"

/** The exported part of a list: its query, and its filters as text. */
export interface ExportQuery {
  /** The file's name in the address, without its format. */
  file: "transactions" | "payouts"
  source: "store" | "service" | "payouts"
  query: Record<string, unknown>
  filters: { name: string; value: string }[]
}

/** The filters of the list of transactions, from the address bar. */
export function useExportQuery(): ExportQuery {
  const [search] = useSearchParams()
  const store = useStoreQuery()
  const service = useServiceQuery()
  return search.get("source") === "service" ? service : store
}

export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

function useStoreQuery(): ExportQuery {
  const { t, word, day, language } = useFormat()
  const params = useQueryParams(STORE_FILTERS)
  const { limit: _limit, offset: _offset, ...query } = queryOf(params)
  const given: Record<string, unknown> = query
  const words = (name: string, group: string | null) => {
    const value = given[name]
    const codes = [value].flat().filter((code) => typeof code === "string")
    return codes.map((code) => (group ? word(group, code) : code)).join(", ")
  }
  const since = (name: string) => {
    const from = given[name]
    return typeof from === "string" ? day(from) : ""
  }
  const until = (name: string) => {
    const to = given[name]
    return typeof to === "string" ? day(lastDayBefore(to)) : ""
  }
  const filters = [
    { name: t("exports.search"), value: words("q", null) },
    { name: t("fields.state"), value: words("state", "states") },
    { name: t("fields.standing"), value: words("standing", "standings") },
    { name: t("fields.exception"), value: words("exception", "exceptions") },
    { name: t("fields.status"), value: words("status", null) },
    { name: t("fields.method"), value: words("method", "methods") },
    { name: t("fields.account"), value: words("account", null) },
    { name: t("exports.since"), value: since("from") },
    { name: t("exports.until"), value: until("to") },
    { name: t("exports.paidSince"), value: since("paid_from") },
    { name: t("exports.paidUntil"), value: until("paid_to") },
  ].filter(({ value }) => value)
  return {
    file: "transactions",
    source: "store",
    query: { ...query, source: "store", locale: language, time_zone: timeZone() },
    filters,
  }
}

function useServiceQuery(): ExportQuery {
  const { t, language, day } = useFormat()
  const { period, hasDates, zone, filters } = useServiceFilters()
  const given: Record<string, unknown> = filters
  const words = (name: string) => [given[name]].flat().filter(Boolean).join(", ")
  return {
    file: "transactions",
    source: "service",
    query: { ...filters, source: "service", locale: language },
    filters: [
      {
        name: t("fields.period"),
        value: hasDates
          ? `${day(filters.from, zone)} – ${day(lastDayBefore(filters.to), zone)}`
          : t(`periods.${period}`),
      },
      { name: t("fields.account"), value: words("account") },
      { name: t("exports.search"), value: words("q") },
      { name: t("transactions.statusInList"), value: words("status_name") },
      { name: t("fields.status"), value: words("status") },
      { name: t("fields.method"), value: words("method") },
      {
        name: t("transactions.inStore"),
        value: given.known
          ? t(given.known === "true" ? "transactions.knownToStore" : "transactions.unknown")
          : "",
      },
    ].filter(({ value }) => value),
  }
}
