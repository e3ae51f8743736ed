import { useMemo } from "react"
import { getI18n, useTranslation, type UseTranslationResponse } from "react-i18next"

import type { Language, ListedTransaction, ListOwner, Text } from "./api"
import { withOwnMoments } from "./moments-in-text"

type Translate = UseTranslationResponse<"paymentService", undefined>["t"]

/** The language of the page, if the plugin has it, else English. */
export function useLanguage(): Language {
  const { i18n } = useTranslation()
  return languageIn(i18n.language)
}

const languageIn = (code: string): Language => (code.startsWith("ru") ? "ru" : "en")

/** The locale of dates and numbers: Medusa's English writes them as in the United States. */
export const localeOf = (language: Language): string => (language === "ru" ? "ru-RU" : "en-US")

/**
 * Writes amounts, moments and texts in the language of the page. The functions stay the same until the language changes, because
 * a table makes its cells again, and loses the focus in them, when its columns change.
 */
export function useFormat() {
  const { t } = useTranslation("paymentService")
  const language = useLanguage()
  return useMemo(() => formatOf(t, language), [t, language])
}

/** The same for the title of a page, which Medusa asks for outside of components. */
export function formatForTitle() {
  const i18n = getI18n()
  return formatOf(i18n.getFixedT(null, "paymentService"), languageIn(i18n.language))
}

function formatOf(t: Translate, language: Language) {
  const locale = localeOf(language)
  // Beside Medusa's own dates. The short English form of Intl has months as numbers, which not all read in the same order.
  const shortDate = language === "ru" ? "short" : "medium"

  /**
   * Kopecks are always written, as by Medusa, so that amounts stand under each other.
   *
   * @param amount decimal text, shown with every digit that it has
   * @param isWhole whether only whole amounts are expected, which are written without kopecks
   */
  const money = (amount: string | null, currency: string | null, isWhole = false): string => {
    if (amount === null || amount === "") return "–"
    const decimals = decimalsOf(amount)
    const digits = {
      minimumFractionDigits: isWhole && decimals === 0 ? 0 : 2,
      maximumFractionDigits: Math.max(2, decimals),
    }
    const style = { style: "currency", currencyDisplay: "narrowSymbol" } as const
    const write = (options: Intl.NumberFormatOptions) =>
      new Intl.NumberFormat(locale, { ...digits, ...options }).format(Number(amount))
    try {
      return write({ ...style, currency: currency ?? "RUB" })
    } catch {
      // Intl takes no code of other than three letters, such as USDT.
      return `${write({})} ${currency ?? ""}`
    }
  }

  /** A payment's sum as the service last said it, which may be in another currency, else as it was asked for. */
  const sumOf = (payment: Sums): string =>
    payment.read_amount === null
      ? money(payment.amount, payment.currency)
      : money(payment.read_amount, payment.read_currency)

  const moment = (iso: string | null, style: "medium" | "short" = "medium"): string =>
    iso === null
      ? "–"
      : new Intl.DateTimeFormat(locale, {
          dateStyle: style === "medium" ? "medium" : shortDate,
          timeStyle: style,
        }).format(new Date(iso))

  /** A time in the form of the service's list, `YYYY-MM-DD HH:mm:ss` in a zone of its own; other text as a quotation. */
  const wallClock = (text: string | null): string => {
    if (text === null) return "–"
    const isSpecified = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)
    const date = new Date(isSpecified ? `${text.replace(" ", "T")}Z` : NaN)
    return Number.isNaN(date.getTime())
      ? t("quoted", { text })
      : new Intl.DateTimeFormat(locale, {
          dateStyle: shortDate,
          timeStyle: "medium",
          timeZone: "UTC",
        }).format(date)
  }

  /** @param timeZone that of the admin unless given */
  const day = (iso: string, timeZone?: string): string =>
    new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone }).format(new Date(iso))

  /** @param timeZone that of the admin unless given */
  const minute = (iso: string, timeZone?: string): string =>
    new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone }).format(
      new Date(iso)
    )

  /** The days from one moment to another, with what they share written once. */
  const days = (from: string, to: string): string =>
    new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).formatRange(
      new Date(from),
      new Date(to)
    )

  const number = (value: number, maximumFractionDigits = 3): string =>
    new Intl.NumberFormat(locale, { maximumFractionDigits }).format(value)

  /** @param amount decimal text */
  const usdt = (amount: string | null): string =>
    amount === null ? "–" : `${number(Number(amount), Math.max(2, decimalsOf(amount)))} USDT`

  const ago = (iso: string | null): string => {
    if (iso === null) return "–"
    const seconds = (new Date(iso).getTime() - Date.now()) / 1000
    const [unit, size] =
      UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", 1] as const)
    return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(
      Math.round(seconds / size),
      unit
    )
  }

  /** @returns null in a store with one account */
  const owner = ({ account, merchant_id: merchant }: ListOwner): string | null =>
    account === null ? null : t("owner", { account, merchant })

  /** A code of ours as text; an unknown code of a later version is shown itself. */
  const word = (group: string, code: string | null): string =>
    code === null ? "–" : t(`${group}.${code}`, { defaultValue: code })

  return {
    t,
    language,
    money,
    sumOf,
    moment,
    wallClock,
    day,
    minute,
    days,
    number,
    usdt,
    ago,
    owner,
    word,
    text: (text: Text) => withOwnMoments(text[language], (iso) => moment(iso, "short")),
  }
}

type Sums = Pick<ListedTransaction, "amount" | "currency" | "read_amount" | "read_currency">

/** The number of decimals of a decimal text, without zeros at its end, and at most as many as Intl writes. */
const decimalsOf = (amount: string): number =>
  Math.min(20, /\.(\d*?)0*$/.exec(amount)?.[1]?.length ?? 0)

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const
