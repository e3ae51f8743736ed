import {
  PaymentPanel,
  type PaymentView,
  sessionOfReturn,
} from "medusa-payment-sbp-crypto-storefront"
import { useCart } from "../cart/CartProvider"
import { Empty } from "../frame/Empty"
import { usePageTitle } from "../frame/usePageTitle"
import { useLocale } from "../i18n/LocaleProvider"
import { reader } from "../medusa"
import { Link, navigate, usePlace } from "../navigation"
import type { PaymentInHand } from "../payment/findPayment"
import { contact, paymentSign, paymentSlots } from "../payment/look"
import { payAddress } from "../payment/paymentAddresses"
import { plainId } from "../payment/plainId"
import { rememberedPayment } from "../remembered"
import { OrderNumber } from "../result/OrderNumber"
import { PlacedOrder } from "../result/PlacedOrder"

/**
 * The page to which the shopper comes back. The address says which payment, and nothing else in it is believed: what happened is asked of the
 * shop, on any device.
 */
export function ResultPage() {
  const { t, locale } = useLocale()
  const { query } = usePlace()
  const { reload } = useCart()
  const payment = paymentOf(query)
  usePageTitle(t.payment.title)

  if (!payment) {
    return <Empty title={t.payment.nothing} />
  }
  return (
    <PaymentPanel
      sessionId={payment.sessionId}
      cartId={payment.cartId}
      reader={reader}
      locale={locale}
      slots={paymentSlots}
      heading={1}
      sign={paymentSign}
      returned
      changeMethod={() => navigate("/checkout")}
      contact={contact}
      shopPage="/"
      // A cart that became an order is forgotten; the shop tells whether it did.
      onPaid={() => void reload()}
      onSession={(sessionId) => {
        const next = { sessionId, cartId: payment.cartId }
        rememberedPayment.write(next)
        navigate(payAddress(next), { replace: true })
      }}
    >
      {(view) => <WhatNext view={view} isOwn={payment.cartId !== null} />}
    </PaymentPanel>
  )
}

/**
 * The order, when there is one, and the way on when nothing is left to do here. Who has paid by a link need not be the one who
 * ordered, and is shown no order.
 */
function WhatNext({ view: { state, status }, isOwn }: { view: PaymentView; isOwn: boolean }) {
  const { t } = useLocale()
  if (isOwn && state === "paid" && status?.order_id) {
    return <PlacedOrder orderId={status.order_id} />
  }
  if (isOwn && state === "pending" && status?.order_id) {
    return <OrderNumber orderId={status.order_id} />
  }
  return state === "paid" || state === "unknown" || state === "expired" ? (
    <Link href="/" className="button quiet">
      {t.result.continue}
    </Link>
  ) : null
}

function paymentOf(query: URLSearchParams): PaymentInHand | null {
  const last = rememberedPayment.read()
  const returned = plainId(query.get("return"))
  const sessionId = returned
    ? sessionOfReturn(returned)
    : (plainId(query.get("session")) ?? last?.sessionId)
  if (!sessionId) {
    return null
  }
  const lastCart = last?.sessionId === sessionId ? last.cartId : null
  return { sessionId, cartId: plainId(query.get("cart")) ?? lastCart }
}
