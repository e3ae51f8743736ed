import { localeOf, useLanguage } from "./format"

/** Writes shares, changes and durations in the language of the page. */
export function useMeasures() {
  const locale = localeOf(useLanguage())

  const percent = (share: number): string =>
    new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }).format(share)

  /** The difference from before; null where there was nothing before. */
  const change = (now: number, before: number): string | null =>
    before === 0
      ? null
      : new Intl.NumberFormat(locale, {
          style: "percent",
          maximumFractionDigits: 0,
          signDisplay: "exceptZero",
        }).format((now - before) / before)

  const unit = (value: number, name: "hour" | "minute" | "second"): string =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "short" }).format(value)

  /** The two largest units: 1 min 5 sec. */
  const duration = (seconds: number | null): string => {
    if (seconds === null) return "–"
    if (seconds < 60) return unit(seconds, "second")
    const [large, small] =
      seconds < 3_600
        ? [unit(Math.floor(seconds / 60), "minute"), unit(seconds % 60, "second")]
        : [
            unit(Math.floor(seconds / 3_600), "hour"),
            unit(Math.floor((seconds % 3_600) / 60), "minute"),
          ]
    return `${large} ${small}`
  }

  /** A day, `YYYY-MM-DD`, in short form. */
  const shortDay = (day: string): string =>
    new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }).format(
      new Date(`${day}T00:00:00Z`)
    )

  /** A sum in short form, for an axis. */
  const compact = (value: number): string =>
    new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }).format(value)

  return { percent, change, duration, shortDay, compact }
}
