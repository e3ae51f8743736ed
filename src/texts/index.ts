import { createInstance } from "i18next"

import exportsEn from "../exports/texts.en.json"
import exportsRu from "../exports/texts.ru.json"
import payoutsEn from "../payouts/texts.en.json"
import payoutsRu from "../payouts/texts.ru.json"
import problemsEn from "../problems/texts.en.json"
import problemsRu from "../problems/texts.ru.json"
import refusalsEn from "../refusals/texts.en.json"
import refusalsRu from "../refusals/texts.ru.json"
import settingsEn from "../settings/texts.en.json"
import settingsRu from "../settings/texts.ru.json"

export type Text = Record<"en" | "ru", string>
type Language = keyof Text

export const NOTHING: Text = { en: "", ru: "" }

/** The amount is decimal text. */
export interface Sum {
  amount: string
  currency: string
}

const EN = { ...problemsEn, ...refusalsEn, ...payoutsEn, ...exportsEn, ...settingsEn }
const RU = { ...problemsRu, ...refusalsRu, ...payoutsRu, ...exportsRu, ...settingsRu }

export type Section = keyof typeof EN

/** The payment methods, in the order in which they are offered. */
export const METHODS: readonly string[] = Object.keys(EN.methods)

/** A text's name; that of a text with a number has an ending for each form in the files. */
export type Code<S extends Section> = WithoutForm<Extract<keyof (typeof EN)[S], string>>
type WithoutForm<All extends string, Key extends string = All> = Key extends `${infer Name}_one`
  ? Name
  : Key extends `${infer Name}_other`
    ? `${Name}_one` extends All
      ? Name
      : Key
    : Key

/** A text of the same language, or what the text's own format makes of it (`{{paid, money}}`). */
type Fact = string | number | boolean | null | undefined | Text | Sum
export type Facts = Record<string, Fact>

const i18n = createInstance()
void i18n.init({
  resources: { en: EN, ru: RU },
  ns: Object.keys(EN),
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
})
const FORMATS: Record<string, (fact: never) => Text> = {
  money,
  rubles: (amount: number) => money({ amount: String(amount), currency: "RUB" }),
  time,
  day,
  /** An id in short form: the whole one means nothing to a person. */
  short: (id: string) => ({ en: id.slice(0, 8), ru: id.slice(0, 8) }),
}
for (const [name, format] of Object.entries(FORMATS)) {
  i18n.services.formatter?.add(name, (fact, language) =>
    fact === null ? "" : format(fact as never)[language as Language]
  )
}

/** The text of this name with these facts. `count` decides its form. A name of another version of this package is shown itself. */
export function text<S extends Section>(section: S, code: Code<S>, facts?: Facts): Text {
  // A file has such texts in each of its lines, and the library takes microseconds for one.
  if (!facts) return { en: plain(EN[section], code), ru: plain(RU[section], code) }
  const inLanguage = (lng: Language) => {
    const of = (fact: Fact) =>
      typeof fact === "object" && fact && lng in fact ? (fact as Text)[lng] : fact
    const replace = Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => [name, of(fact)])
    )
    // The same facts as options of their own could be taken for settings of the library.
    return i18n.t(code, { lng, ns: section, replace, count: facts.count as number | undefined })
  }
  return { en: inLanguage("en"), ru: inLanguage("ru") }
}

const plain = (texts: Partial<Record<string, string>>, code: string) => texts[code] ?? code

/** Whether this version of the package has a text of this name. */
export const hasText = <S extends Section>(section: S, code: string): code is Code<S> =>
  Object.hasOwn(EN[section], code)

export function joined(texts: readonly Text[], separator: string): Text {
  const inLanguage = (lng: Language) => texts.map((one) => one[lng]).join(separator)
  return { en: inLanguage("en"), ru: inLanguage("ru") }
}

/** A sum as the dashboard's `money` writes it; a test compares the two. */
export function money({ amount, currency }: Sum): Text {
  // Intl takes no code of other than three letters, such as USDT.
  const hasSign = /^[a-z]{3}$/i.test(currency)
  const sign = { style: "currency", currencyDisplay: "narrowSymbol", currency } as const
  const inLanguage = (locale: string) => {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 20 }
    const format = new Intl.NumberFormat(locale, { ...digits, ...(hasSign && sign) })
    // As text, a long amount keeps all its digits.
    const written = format.format(amount as `${number}`)
    return hasSign ? written : `${written} ${currency}`
  }
  return { en: inLanguage("en-US"), ru: inLanguage("ru-RU") }
}

const UTC = { timeZone: "UTC", timeStyle: "short" } as const
const ENGLISH = new Intl.DateTimeFormat("en-GB", { ...UTC, dateStyle: "medium" })
const RUSSIAN = new Intl.DateTimeFormat("ru-RU", { ...UTC, dateStyle: "short" })

export function time(iso: string): Text {
  const moment = new Date(iso)
  return { en: `${ENGLISH.format(moment)} UTC`, ru: `${RUSSIAN.format(moment)} UTC` }
}

function day(iso: string): Text {
  const inLanguage = (locale: string) =>
    new Date(iso).toLocaleDateString(locale, { timeZone: "UTC", dateStyle: "medium" })
  return { en: inLanguage("en-US"), ru: inLanguage("ru-RU") }
}
