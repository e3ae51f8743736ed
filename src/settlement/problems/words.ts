import { BigNumber } from "bignumber.js"

/** A text in each language that an admin may read. */
export type Text = Record<"en" | "ru", string>

export const NOTHING: Text = { en: "", ru: "" }

/** The amount is decimal text. */
export interface Sum {
  amount: string
  currency: string
}

/** An amount as text, with its thousands grouped as each language groups them. */
export function money({ amount, currency }: Sum): Text {
  const number = new BigNumber(amount)
  const places = number.isInteger() ? 0 : Math.max(2, number.decimalPlaces() ?? 0)
  const grouped = (decimalSeparator: string, groupSeparator: string) =>
    number.toFormat(places, { decimalSeparator, groupSeparator, groupSize: 3 })
  return {
    en: `${grouped(".", ",")} ${currency}`,
    ru: `${grouped(",", NO_BREAK)}${NO_BREAK}${currency === "RUB" ? "₽" : currency}`,
  }
}

const NO_BREAK = "\u00a0"

const RUSSIAN = new Intl.PluralRules("ru")
const NUMBER = { en: new Intl.NumberFormat("en"), ru: new Intl.NumberFormat("ru") }

/** A number with its noun: English has two forms, Russian has three (1 оплата, 2 оплаты, 5 оплат). */
export function counted(
  count: number,
  en: [one: string, other: string],
  [one, few, many]: [one: string, few: string, many: string]
): Text {
  const form = RUSSIAN.select(count)
  return {
    en: `${NUMBER.en.format(count)} ${count === 1 ? en[0] : en[1]}`,
    ru: `${NUMBER.ru.format(count)} ${form === "one" ? one : form === "few" ? few : many}`,
  }
}

const TIME = {
  en: new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  }),
  ru: new Intl.DateTimeFormat("ru-RU", { dateStyle: "short", timeStyle: "short", timeZone: "UTC" }),
}
const DAY = new Intl.DateTimeFormat("ru-RU", { dateStyle: "short", timeZone: "UTC" })

/** A moment (ISO 8601) as text. */
export function time(iso: string): Text {
  const moment = new Date(iso)
  return { en: `${TIME.en.format(moment)} UTC`, ru: `${TIME.ru.format(moment)} UTC` }
}

/** The day of a moment (ISO 8601) as text. */
export function day(iso: string): Text {
  return { en: iso.slice(0, 10), ru: DAY.format(new Date(iso)) }
}
