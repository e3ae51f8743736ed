import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"

import type { SubscriptionAnswer, SubscriptionsAnswer } from "./api"
import { useFormat } from "./format"
import { subscriptionKeys } from "./query-keys"
import { ask } from "./sdk"

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
