import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"

import type { ListOwner, Page } from "./api"
import { useFormat } from "./format"
import { subscriptionKeys } from "./query-keys"
import { ask } from "./sdk"

/** A subscription in the service's list, with its numeric codes and their labels from the options. What cannot be read is null. */
export interface ListedSubscription {
  id: string
  status: number | null
  status_label: string | null
  amount: string | null
  currency: string | null
  interval_unit: number | null
  interval_label: string | null
  interval_count: number | null
  next_charge_at: string | null
  last_charge_at: string | null
  customer_email: string | null
  customer_id: string | null
  description: string | null
  charges_count: number | null
  created_at: string | null
}

export interface SubscriptionsAnswer extends Page, ListOwner {
  subscriptions: ListedSubscription[]
  /** The number of subscriptions on this page that are left out, because their id cannot be read. */
  unreadable: number
  codes: { statusCodes: Record<string, string>; intervalCodes: Record<string, string> }
  accounts: string[]
}

/** One subscription, with the service's names. */
export interface ShownSubscription {
  id: string
  status: string
  amount: string
  currency: string
  interval_unit: string
  interval_count: number
  start_at: string | null
  next_charge_at: string | null
  last_charge_at: string | null
  description: string | null
  created_at: string | null
  customer_email: string | null
  customer_id: string | null
  merchant_id: string
  charge_metrics: {
    charges_total: number | null
    charges_success: number | null
    charges_failed: number | null
    total_amount: string | null
    last_charge_at: string | null
    next_charge_at: string | null
  } | null
}

export interface SubscriptionAnswer {
  subscription: ShownSubscription
}

export function useSubscriptions(query: object) {
  return useQuery({
    queryKey: subscriptionKeys.list(query),
    queryFn: () => ask<SubscriptionsAnswer>("subscriptions", query),
    // The service's refusal is told at once.
    retry: false,
    placeholderData: keepPreviousData,
  })
}

export function useSubscription(id: string) {
  return useQuery({
    queryKey: subscriptionKeys.detail(id),
    queryFn: () => ask<SubscriptionAnswer>(`subscriptions/${encodeURIComponent(id)}`),
    retry: false,
  })
}

/** Units that have texts here; only `Month` surely exists at the service. */
const UNITS = ["Day", "Week", "Month", "Year"]

const isReadable = (iso: string) => !Number.isNaN(Date.parse(iso))

/** Writes the facts of subscriptions. */
export function useSubscriptionWords() {
  const format = useFormat()
  return useMemo(() => wordsOf(format), [format])
}

function wordsOf({ t, moment, day, number, word }: ReturnType<typeof useFormat>) {
  /** The interval of charges. A unit is a name, or the service's code as text when no option lists it. */
  const interval = (unit: string, count: number): string => {
    const known = UNITS.find((one) => one.toLowerCase() === unit.toLowerCase())
    if (!known) return t("subscriptions.everyCode", { count, unit })
    return count === 1
      ? t(`subscriptions.every.${known}_single`)
      : t(`subscriptions.every.${known}`, { count })
  }
  const none = t("subscriptions.none")
  return {
    t,
    none,
    interval,
    status: (name: string) => word("subscriptions.statuses", name),
    code: (code: number) => t("subscriptions.code", { code }),
    /** An unreadable time is shown as the service wrote it. */
    momentOrNone: (iso: string | null) =>
      iso === null ? none : isReadable(iso) ? moment(iso) : iso,
    dayOrNone: (iso: string | null) => (iso === null ? none : isReadable(iso) ? day(iso) : iso),
    numberOrNone: (value: number | null) => (value === null ? none : number(value)),
  }
}
