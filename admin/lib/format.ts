import { getI18n, useTranslation, type UseTranslationResponse } from "react-i18next"

import type { Language, ListedTransaction, ListOwner, Payout, Text } from "./answers"
import { ownZone } from "./period"

type Translate = UseTranslationResponse<"paymentService", undefined>["t"]
type Format = ReturnType<typeof formatOf>
type NamedCard = Pick<Payout, "recipient" | "card_id" | "card_masked" | "card_brand" | "card_label">
type Sums = Pick<ListedTransaction, "amount" | "currency" | "paid_amount" | "read_currency">

/** Writes in the page's language. */
export function useFormat(): Format {
  const { t, i18n } = useTranslation("paymentService")
  return formatOf(t, i18n.language)
}

/** The same for the title of a page, which Medusa asks for outside of components. */
export function formatForTitle(): Format {
  const i18n = getI18n()
  return formatOf(i18n.getFixedT(null, "paymentService"), i18n.language)
}

function formatOf(t: Translate, code: string) {
  const language: Language = code.startsWith("ru") ? "ru" : "en"
  // Medusa's English writes dates and numbers as in the United States.
  const locale = language === "ru" ? "ru-RU" : "en-US"
  const zone = ownZone()
  /** Dates have the form of Medusa's own beside them, with the month as a word. */
  const date = (iso: string | Date, { timeZone = zone, ...options }: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(new Date(iso))
  const write = (value: number, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, options).format(value)

  /**
   * Kopecks are always written, as by Medusa, so that amounts stand under each other.
   *
   * @param amount decimal text, shown with every digit that it has
   */
  const money = (amount: string | null, currency: string | null): string => {
    if (amount === null || amount === "") return "–"
    const digits = {
      minimumFractionDigits: 2,
      maximumFractionDigits: Math.max(2, decimalsOf(amount)),
    }
    const style = { style: "currency", currencyDisplay: "narrowSymbol" } as const
    try {
      return write(Number(amount), { ...digits, ...style, currency: currency ?? "RUB" })
    } catch {
      // Intl takes no code of other than three letters, such as USDT.
      return `${write(Number(amount), digits)} ${currency ?? ""}`
    }
  }

  /** A time that cannot be read is shown as the service wrote it. */
  const time = (iso: string | null, options: Intl.DateTimeFormatOptions): string => {
    if (iso === null) return "–"
    return Number.isNaN(Date.parse(iso)) ? iso : date(iso, { dateStyle: "medium", ...options })
  }

  /** @param timeStyle with seconds in histories, and without them in lists */
  const moment = (iso: string | null, timeStyle: "medium" | "short" = "medium"): string =>
    time(iso, { timeStyle })

  const number = (value: number | null, maximumFractionDigits = 3): string =>
    value === null ? "–" : write(value, { maximumFractionDigits })

  /** A code of ours as text; an unknown code of a later version is shown itself. */
  const word = (group: string, code: string | null): string =>
    code === null ? "–" : t(`${group}.${code}`, { defaultValue: code })

  /** A sentence of the store with its moments in the reader's time zone: the store writes UTC, as it does not know who reads. */
  const local = (sentence: string) => withOwnMoments(sentence, (iso) => moment(iso, "short"))

  /** Brand and last four digits. Without them (not typed yet, or not given), the saved card's label or id is shown. */
  const card = (shown: NamedCard, notTyped = "payout.card.notTyped"): string => {
    const { recipient, card_id, card_masked, card_brand, card_label } = shown
    if (card_masked === null && recipient === "typed_number") return t(notTyped)
    const name = card_masked === null ? card_label : dotted(card_masked)
    return [card_brand, name ?? t("payout.card.saved", { id: card_id })].filter(Boolean).join(" ")
  }

  return {
    t,
    language,
    money,
    moment,
    number,
    word,
    text: (text: Text): string => local(text[language]),
    /** The choices of a filter for all codes that have a text in this group. */
    choices: (group: string) =>
      Object.keys(t(group, { returnObjects: true })).map((value) => ({
        label: word(group, value),
        value,
      })),
    reasonOf: (error: unknown): string => {
      // The browser's message about a silent store is not in the page's language.
      if (error instanceof TypeError) return t("payout.storeSilent")
      // A proxy between store and browser may answer with a page of its own, which has no message.
      return (error instanceof Error ? local(error.message) : String(error)) || t("failed.noReason")
    },
    /** A payment's sum as it was paid, with what was asked for where that is another one; else as it was asked for. */
    sumOf: ({ amount, currency, paid_amount: paid, ...read }: Sums): string => {
      const asked = money(amount, currency)
      const sum = paid === null ? asked : money(paid, read.read_currency ?? currency)
      return sum === asked ? sum : t("paidOf", { paid: sum, asked })
    },
    rubles: (amount: number): string => money(String(amount), "RUB"),
    usdt: (amount: string | null): string => money(amount, "USDT"),
    /** A time in the form of the service's list, `YYYY-MM-DD HH:mm:ss` in a zone of its own; other text as a quotation. */
    wallClock: (text: string | null): string => {
      if (text === null) return "–"
      const isSpecified = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)
      const time = new Date(isSpecified ? `${text.replace(" ", "T")}Z` : NaN)
      return Number.isNaN(time.getTime())
        ? t("quoted", { text })
        : date(time, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" })
    },
    /** @param timeZone that of the admin unless given */
    day: (iso: string | null, timeZone?: string): string => time(iso, { timeZone }),
    /** The days from one moment to another, with what they share written once. */
    days: (from: string, to: string): string =>
      new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: zone }).formatRange(
        new Date(from),
        new Date(to)
      ),
    /** A day, `YYYY-MM-DD`, in short form. */
    shortDay: (day: string): string =>
      date(day, { day: "numeric", month: "short", timeZone: "UTC" }),
    ago: (iso: string): string => {
      const seconds = (Date.parse(iso) - Date.now()) / 1000
      const [name, size] =
        UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", 1] as const)
      const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" })
      return format.format(Math.round(seconds / size), name)
    },
    /** A country by its code of two letters; anything else as it is written. */
    country: (code: string | null): string | null =>
      /^[a-z]{2}$/i.test(code ?? "")
        ? (new Intl.DisplayNames(locale, { type: "region" }).of(code?.toUpperCase() ?? "") ?? code)
        : code,
    /** The difference from before; null where there was nothing before. */
    change: (now: number, before: number): string | null =>
      before === 0
        ? null
        : write((now - before) / before, { style: "percent", signDisplay: "exceptZero" }),
    /** A sum in short form, for an axis. */
    compact: (value: number): string =>
      write(value, { notation: "compact", maximumFractionDigits: 1 }),
    card,
    /** The same in a sentence about the receiver of money. */
    toCard: (shown: NamedCard): string => card(shown, "payout.card.later"),
    /** The interval of charges. A unit is a name, or the service's code as text when no option lists it. */
    interval: (unit: string, count: number): string => {
      const known = INTERVALS.find((one) => one.toLowerCase() === unit.toLowerCase())
      if (!known) return t("subscriptions.everyCode", { count, unit })
      return t(`subscriptions.every.${known}${count === 1 ? "_single" : ""}`, { count })
    },
    /** @returns null in a store with one account */
    owner: ({ account, merchant_id: merchant }: ListOwner): string | null =>
      account === null ? null : t("owner", { account, merchant }),
  }
}

/** The number of decimals of a decimal text, without zeros at its end, and at most as many as Intl writes. */
const decimalsOf = (amount: string): number =>
  Math.min(20, /\.(\d*?)0*$/.exec(amount)?.[1]?.length ?? 0)

/** A masked number as the dashboard writes it. */
export const dotted = (card: string): string => card.replace(/\*+/, "••••")

/** Units that have texts here; only `Month` surely exists at the service. */
const INTERVALS = ["Day", "Week", "Month", "Year"]

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const

/** As `time` of the server's texts writes them; a test compares the two. */
const IN_UTC = /(\d{1,2} [A-Z][a-z]+ \d{4}|\d{2}\.\d{2}\.\d{4}), (\d{2}:\d{2}) UTC/g

/** Has the moments in a sentence of the store's written again, given as ISO 8601. */
export function withOwnMoments(text: string, write: (iso: string) => string): string {
  return text.replace(IN_UTC, (written, day: string, time: string) => {
    const [date, month, year] = day.split(".")
    const moment = new Date(
      year ? `${year}-${month ?? ""}-${date ?? ""}T${time}Z` : `${day} ${time} UTC`
    )
    return Number.isNaN(moment.getTime()) ? written : write(moment.toISOString())
  })
}
