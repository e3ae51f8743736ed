import { lastDayBefore } from "./address-filters"
import { useFormat } from "./format"
import { isMidnightIn } from "./time-zone"

/** The lists that are exported. */
export type ExportSource = "store" | "service" | "payouts"

export interface FilterInWords {
  name: string
  value: string
}

/** The texts for the names of filters, and the groups of texts for their codes. */
const FILTERS: Partial<Record<string, { name: string; words?: string }>> = {
  q: { name: "exports.search" },
  state: { name: "fields.state", words: "states" },
  standing: { name: "fields.standing", words: "standings" },
  exception: { name: "fields.exception", words: "exceptions" },
  status: { name: "fields.status" },
  status_name: { name: "transactions.statusInList" },
  method: { name: "fields.method", words: "methods" },
  account: { name: "fields.account" },
  known: { name: "transactions.inStore", words: "exports.known" },
  cart_id: { name: "fields.cart" },
  order_id: { name: "fields.order" },
  customer_id: { name: "fields.customer" },
  problem_id: { name: "fields.problem" },
  transaction_row_id: { name: "fields.transaction_id" },
  made_by: { name: "payout.fields.made_by" },
}

/** Filters that are dates or say how the file is written. */
const OTHERS = ["from", "to", "paid_from", "paid_to", "created_at", "time_zone", "locale", "source"]

/** Writes the filters of an export, which have the form of the routes, in the order in which they were given after the dates. */
export function useFilterWords() {
  const { t, word, day, minute } = useFormat()
  return (source: ExportSource, filters: Record<string, unknown>): FilterInWords[] => {
    const zone = typeof filters.time_zone === "string" ? filters.time_zone : undefined
    const first = (moment: unknown) => (typeof moment === "string" ? day(moment, zone) : "")
    const last = (end: unknown) => (typeof end === "string" ? day(lastDayBefore(end), zone) : "")
    const periodOf = ({ from, to }: { from: string; to: string }) =>
      isMidnightIn(zone, from) && isMidnightIn(zone, to)
        ? `${first(from)} – ${last(to)}`
        : `${minute(from, zone)} – ${minute(to, zone)}`
    const { gte, lt } = (filters.created_at ?? {}) as { gte?: unknown; lt?: unknown }
    const dates =
      source === "service"
        ? [{ name: t("fields.period"), value: periodOf(filters as { from: string; to: string }) }]
        : [
            { name: t("exports.since"), value: first(filters.from) },
            { name: t("exports.until"), value: last(filters.to) },
            { name: t("exports.paidSince"), value: first(filters.paid_from) },
            { name: t("exports.paidUntil"), value: last(filters.paid_to) },
            { name: t("payout.export.since"), value: first(gte) },
            { name: t("payout.export.until"), value: last(lt) },
          ]
    const others = Object.entries(filters)
      .filter(([id]) => !OTHERS.includes(id))
      .map(([id, value]) => {
        const { name, words } = FILTERS[id] ?? { name: id }
        const group = source === "payouts" && id === "state" ? "payout.states" : words
        const codes = [value].flat().map(String)
        return {
          name: t(name, { defaultValue: id }),
          value: codes.map((code) => (group ? word(group, code) : code)).join(", "),
        }
      })
    return [...dates, ...others].filter(({ value }) => value)
  }
}
