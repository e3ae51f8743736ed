import { useEffect, useRef, type ReactNode } from "react"
import { CartProvider } from "./cart/CartProvider"
import { CatalogProvider } from "./catalog/CatalogProvider"
import { CrashGuard } from "./frame/CrashGuard"
import { Header } from "./frame/Header"
import { LocaleProvider, useLocale } from "./i18n/LocaleProvider"
import { usePlace } from "./navigation"
import { CartPage } from "./pages/CartPage"
import { CheckoutPage } from "./pages/CheckoutPage"
import { HomePage } from "./pages/HomePage"
import { PAYMENT_LINKS, PaymentLinkPage } from "./pages/PaymentLinkPage"
import { PayPage } from "./pages/PayPage"
import { ResultPage } from "./pages/ResultPage"

const pages: Record<string, () => ReactNode> = {
  "/": HomePage,
  "/cart": CartPage,
  "/checkout": CheckoutPage,
  "/checkout/pay": PayPage,
  "/result": ResultPage,
}

export function App() {
  return (
    <LocaleProvider>
      <CatalogProvider>
        <CartProvider>
          <Shop />
        </CartProvider>
      </CatalogProvider>
    </LocaleProvider>
  )
}

function Shop() {
  const { t } = useLocale()
  const { path } = usePlace()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(path)
  const Page = pages[path] ?? (path.startsWith(PAYMENT_LINKS) ? PaymentLinkPage : HomePage)

  useEffect(() => {
    // A page that was changed without loading one would otherwise go unnoticed by keyboard and screen reader.
    if (shown.current !== path) {
      shown.current = path
      main.current?.focus({ preventScroll: true })
    }
  }, [path])

  return (
    <>
      <a className="skip" href="#content">
        {t.skipToContent}
      </a>
      <Header />
      <main id="content" ref={main} className="content" tabIndex={-1}>
        <CrashGuard key={path}>
          <Page />
        </CrashGuard>
      </main>
      <footer className="footer">{t.footer}</footer>
    </>
  )
}
