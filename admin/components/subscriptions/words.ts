import { useMemo } from "react"

import { useFormat } from "../../lib/format"

/** Units that have texts here; only `Month` surely exists at the service. */
const UNITS = ["Day", "Week", "Month", "Year"]

const isReadable = (iso: string) => !Number.isNaN(Date.parse(iso))

/** Writes the facts of subscriptions. */
export function useSubscriptionWords() {
  const format = useFormat()
  return useMemo(() => wordsOf(format), [format])
}

function wordsOf(format: ReturnType<typeof useFormat>) {
  const { t, word, moment, day, number } = format
  /** An unreadable time is shown as the service wrote it. */
  const timeOrNone = (iso: string | null, write: (iso: string) => string) =>
    iso === null ? "–" : isReadable(iso) ? write(iso) : iso
  return {
    ...format,
    status: (name: string) => word("subscriptions.statuses", name),
    /** The interval of charges. A unit is a name, or the service's code as text when no option lists it. */
    interval: (unit: string, count: number): string => {
      const known = UNITS.find((one) => one.toLowerCase() === unit.toLowerCase())
      if (!known) return t("subscriptions.everyCode", { count, unit })
      return t(`subscriptions.every.${known}${count === 1 ? "_single" : ""}`, { count })
    },
    momentOrNone: (iso: string | null) => timeOrNone(iso, moment),
    dayOrNone: (iso: string | null) => timeOrNone(iso, day),
    numberOrNone: (value: number | null) => (value === null ? "–" : number(value)),
  }
}
