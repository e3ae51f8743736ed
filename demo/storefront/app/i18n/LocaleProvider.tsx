import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from "react"
import { rememberedLocale } from "../remembered"
import { en, type Messages } from "./en"
import { ru } from "./ru"

export type Locale = "ru" | "en"

const messages: Record<Locale, Messages> = { ru, en }

interface LocaleContext {
  locale: Locale
  t: Messages
  /** A sum for readers; whole amounts without kopecks. Medusa's totals are unrounded, so this rounds to two digits. */
  money: (amount: number, currency: string) => string
  setLocale: (locale: Locale) => void
}

const Context = createContext<LocaleContext | null>(null)

export function LocaleProvider({ children }: { children: ReactNode }) {
  const [locale, choose] = useState<Locale>(initialLocale)

  useEffect(() => {
    document.documentElement.lang = locale
  }, [locale])

  const setLocale = useCallback((next: Locale) => {
    rememberedLocale.write(next)
    choose(next)
  }, [])

  const value = useMemo<LocaleContext>(
    () => ({
      locale,
      t: messages[locale],
      money: (amount, currency) =>
        new Intl.NumberFormat(locale, {
          style: "currency",
          currency: currency.toUpperCase(),
          currencyDisplay: "narrowSymbol",
          trailingZeroDisplay: "stripIfInteger",
        }).format(amount),
      setLocale,
    }),
    [locale, setLocale]
  )
  return <Context.Provider value={value}>{children}</Context.Provider>
}

export function useLocale(): LocaleContext {
  const value = useContext(Context)
  if (!value) {
    throw new Error("useLocale needs a LocaleProvider above it")
  }
  return value
}

function initialLocale(): Locale {
  const remembered = rememberedLocale.read()
  if (remembered === "ru" || remembered === "en") {
    return remembered
  }
  return navigator.language.toLowerCase().startsWith("ru") ? "ru" : "en"
}
