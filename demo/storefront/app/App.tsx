import { useEffect, useRef, type ReactNode } from "react"
import { CartProvider } from "./cart/CartProvider"
import { CatalogProvider } from "./catalog/CatalogProvider"
import { CheckoutPage } from "./checkout/CheckoutForm"
import { CrashGuard } from "./frame/CrashGuard"
import { Header } from "./frame/Header"
import type { Messages } from "./i18n/en"
import { LocaleProvider, useLocale } from "./i18n/LocaleProvider"
import { usePlace } from "./navigation"
import { CartPage } from "./pages/CartPage"
import { HomePage } from "./pages/HomePage"
import { PAYMENT_LINKS, PaymentLinkPage } from "./pages/PaymentLinkPage"
import { PayPage, ResultPage } from "./pages/PaymentPage"

interface ShopPage {
  Page: () => ReactNode
  title: (t: Messages) => string
}

const home: ShopPage = { Page: HomePage, title: (t) => t.shop }
const paymentLink: ShopPage = { Page: PaymentLinkPage, title: (t) => t.payment }
const pages: Record<string, ShopPage> = {
  "/cart": { Page: CartPage, title: (t) => t.cart.title },
  "/checkout": { Page: CheckoutPage, title: (t) => t.checkout.title },
  "/checkout/pay": { Page: PayPage, title: (t) => t.payment },
  "/result": { Page: ResultPage, title: (t) => t.payment },
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
  const { Page, title } = pages[path] ?? (path.startsWith(PAYMENT_LINKS) ? paymentLink : home)

  useEffect(() => {
    document.title = title === home.title ? t.shop : `${title(t)} · ${t.shop}`
  }, [title, t])

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
