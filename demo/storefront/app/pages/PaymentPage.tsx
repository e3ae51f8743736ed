import {
  PaymentPanel,
  type PaymentView,
  sessionOfReturn,
} from "medusa-payment-sbp-crypto-storefront"
import { useCart } from "../cart/CartProvider"
import { useCatalog } from "../catalog/CatalogProvider"
import { Steps } from "../checkout/Steps"
import { useLocale } from "../i18n/LocaleProvider"
import { reader } from "../medusa"
import { Link, navigate, usePlace } from "../navigation"
import { payAddress } from "../payment/addresses"
import { contact, paymentSign, paymentSlots } from "../payment/look"
import { rememberedPayment } from "../remembered"
import { PlacedOrder, ReservedOrder } from "../result/PlacedOrder"

/** The page on which the shopper pays. */
export function PayPage() {
  return (
    <>
      <Steps current="payment" />
      <Payment onPaid={() => navigate(`/result${location.search}`, { replace: true })} />
    </>
  )
}

/** The page to which the shopper comes back. */
export function ResultPage() {
  const { reload } = useCart()
  // A cart that became an order is forgotten; the shop tells whether it did.
  return <Payment onPaid={() => void reload()} />
}

/**
 * The address says which payment, and nothing else in it is believed: what happened is asked of the shop, on any device. The cart
 * shows that its order is this browser's to see.
 */
function Payment({ onPaid }: { onPaid: () => void }) {
  const { locale } = useLocale()
  const { query } = usePlace()
  const returnId = query.get("return")
  const sessionId = returnId ? sessionOfReturn(returnId) : (query.get("session") ?? "")
  const begun = rememberedPayment.read()
  return (
    <PaymentPanel
      sessionId={sessionId}
      returned={returnId !== null}
      heading={1}
      cartId={begun?.cartId}
      reader={reader}
      locale={locale}
      slots={paymentSlots}
      sign={paymentSign}
      facts={<Goods />}
      changeMethod={() => navigate("/checkout")}
      contact={contact}
      shopPage="/"
      onPaid={onPaid}
      onSession={(next) => {
        // The payment of a link is not the cart's.
        if (begun?.sessionId === sessionId) rememberedPayment.write({ ...begun, sessionId: next })
        navigate(payAddress(next), { replace: true })
      }}
    >
      {(view) => <WhatNext view={view} />}
    </PaymentPanel>
  )
}

/** The goods that are being paid for. */
function Goods() {
  const { cart } = useCart()
  const { titleOf } = useCatalog()
  const names = cart?.items?.map((item) => {
    const title = titleOf(item)
    return item.quantity > 1 ? `${title} × ${item.quantity}` : title
  })
  return names && <p className="muted">{names.join(", ")}</p>
}

/** The order, when there is one, and the way on when nothing is left to do here. */
function WhatNext({ view: { state, status } }: { view: PaymentView }) {
  const { t } = useLocale()
  if (status?.order_id && state === "paid") {
    return <PlacedOrder orderId={status.order_id} />
  }
  if (status?.order_id && state === "pending") {
    return <ReservedOrder orderId={status.order_id} />
  }
  return state === "paid" || state === "unknown" || state === "expired" ? (
    <Link href="/" className="button quiet">
      {t.result.continue}
    </Link>
  ) : null
}
