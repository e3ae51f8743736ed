import { useCatalog } from "../catalog/CatalogProvider"
import { ArrowIcon } from "../frame/icons"
import { useLocale } from "../i18n/LocaleProvider"
import type { Cart } from "../medusa"
import { Link } from "../navigation"
import { Countdown } from "./Countdown"
import { fitsQr, QrCode } from "./QrCode"
import { httpAddress, payableAddress, qrContent } from "./payableAddress"
import type { SessionStatus } from "./sessionStatus"
import { StatusPanel } from "./StatusPanel"
import { usdtEstimate } from "./usdtEstimate"
import { useTimeLeft } from "./useTimeLeft"
import { useWideScreen } from "./useWideScreen"

interface OpenPaymentProps {
  status: SessionStatus
  cart: Cart | null
  trouble: boolean
}

/** A payment that waits for the shopper: the QR code on wide screens, the button on narrow ones and for crypto. */
export function OpenPayment({ status, cart, trouble }: OpenPaymentProps) {
  const { t, money, usdt } = useLocale()
  const wide = useWideScreen()
  const msLeft = useTimeLeft(status.expires_at)
  const over = msLeft === 0
  const address = payableAddress(status)
  const content = status.method === "sbp" ? qrContent(status) : null
  const drawable = content !== null && fitsQr(content)
  const showQr = drawable && (wide || address === null)
  const estimate = status.method === "crypto" ? usdtEstimate(status, cart) : null

  return (
    <>
      <h1>{t.payment.title}</h1>
      <div className={showQr ? "pay pay-qr" : "pay"}>
        {showQr && <QrFigure text={content} over={over} />}
        <div className="pay-side">
          <section className="panel pay-facts">
            <p className="muted">{t.method[status.method]}</p>
            <p className="pay-amount" data-testid="amount">
              {money(status.amount, status.currency)}
            </p>
            {estimate !== null && (
              <p data-testid="usdt-estimate">
                {t.payment.estimate(usdt(estimate))}
                <span className="muted"> · {t.payment.estimateNote}</span>
              </p>
            )}
            <PaidFor cart={cart} />
            {msLeft !== null && <Countdown msLeft={msLeft} />}
            {!over && showQr && (
              <ol className="scan-steps">
                {t.payment.steps.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
            )}
            {!over && address && (
              <a
                className={showQr ? "link" : "button wide"}
                href={address}
                rel="noreferrer"
                data-testid="open-payment"
              >
                {openLabel()}
                {!showQr && <ArrowIcon />}
              </a>
            )}
            {!over && !showQr && address && (
              <p className="muted small-print">{t.payment.comeBack}</p>
            )}
            {!address && !drawable && <p>{t.payment.noAddress}</p>}
          </section>
          <StatusPanel
            state="pending"
            title={over ? t.payment.checkingTitle : t.payment.waiting}
            note={over ? t.payment.checkingNote : t.payment.waitingNote}
            trouble={trouble}
            subordinate
          />
          {!over && !status.order_id && (
            <Link href="/checkout" className="link change-method" data-testid="change-method">
              {t.payment.changeMethod}
            </Link>
          )}
        </div>
      </div>
    </>
  )

  function openLabel(): string {
    if (showQr) {
      return t.payment.openHere
    }
    return status.method === "sbp" ? t.payment.open : t.payment.openWallet
  }
}

function QrFigure({ text, over }: { text: string; over: boolean }) {
  const { t } = useLocale()
  const address = httpAddress(text)
  const code = <QrCode text={text} label={t.payment.qrLabel} />
  return (
    <figure className="panel qr-figure" data-over={over}>
      <figcaption>{over ? t.payment.checkingTitle : t.payment.scan}</figcaption>
      {address && !over ? (
        <a href={address} rel="noreferrer" aria-label={t.payment.qrLink}>
          {code}
        </a>
      ) : (
        code
      )}
    </figure>
  )
}

function PaidFor({ cart }: { cart: Cart | null }) {
  const { titleOf } = useCatalog()
  const items = cart?.items ?? []
  if (items.length === 0) {
    return null
  }
  const names = items.map((item) => {
    const title = titleOf(item.product_id, item.product_title ?? item.title)
    return item.quantity > 1 ? `${title} × ${item.quantity}` : title
  })
  return <p className="muted paid-for">{names.join(", ")}</p>
}
