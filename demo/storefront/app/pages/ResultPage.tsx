import { useEffect } from "react"
import { useCart } from "../cart/CartProvider"
import { Empty } from "../frame/Empty"
import { usePageTitle } from "../frame/usePageTitle"
import { useLocale } from "../i18n/LocaleProvider"
import { Link, navigate, usePlace } from "../navigation"
import { Declined } from "../payment/Declined"
import type { PaymentInHand } from "../payment/findPayment"
import { Live } from "../payment/Live"
import { payAddress } from "../payment/paymentAddresses"
import { plainId, type SessionStatus } from "../payment/sessionStatus"
import { StatusPanel } from "../payment/StatusPanel"
import { usePaymentStatus } from "../payment/usePaymentStatus"
import { rememberedPayment } from "../remembered"
import { PlacedOrder } from "../result/PlacedOrder"
import { OrderNumber } from "../result/OrderNumber"

/**
 * Where the shopper comes back to. The address says which payment, and nothing else in it is believed: what happened is asked of the
 * shop, on any device.
 */
export function ResultPage() {
  return (
    <Live>
      <Result />
    </Live>
  )
}

function Result() {
  const { t } = useLocale()
  const { query } = usePlace()
  const { reload } = useCart()
  const payment = paymentOf(query)
  const { status, trouble, unknown, placingTakesLong } = usePaymentStatus(
    payment?.sessionId ?? null
  )
  usePageTitle(t.payment.title)

  const orderId = status?.order_id
  useEffect(() => {
    // A cart that became an order is forgotten; the shop tells whether it did.
    if (orderId) {
      void reload()
    }
  }, [orderId, reload])

  if (!payment) {
    return <Empty title={t.payment.nothing} />
  }
  if (unknown) {
    return <Empty title={t.payment.unknown} note={t.payment.unknownNote} />
  }
  if (!status) {
    return <StatusPanel state="loading" title={t.payment.loading} trouble={trouble} />
  }
  switch (status.state) {
    case "pending":
      return <Waiting status={status} payment={payment} trouble={trouble} />
    case "canceled":
    case "expired":
      return (
        <Declined
          status={status}
          cartId={payment.cartId}
          trouble={trouble}
          onStarted={(sessionId) =>
            navigate(payAddress({ sessionId, cartId: payment.cartId }), { replace: true })
          }
        />
      )
    case "problem":
      return (
        <StatusPanel
          state="problem"
          title={t.result.attention}
          note={t.result.attentionNote}
          trouble={trouble}
        >
          <Reference status={status} />
        </StatusPanel>
      )
    case "paid":
      if (status.order_id) {
        return <PlacedOrder orderId={status.order_id} />
      }
      return placingTakesLong ? (
        <StatusPanel
          state="paid"
          title={t.result.attention}
          note={`${t.result.attentionNote} ${t.result.stillChecking}`}
          trouble={trouble}
        >
          <Reference status={status} />
        </StatusPanel>
      ) : (
        <StatusPanel
          state="paid"
          title={t.result.placing}
          note={t.result.placingNote}
          trouble={trouble}
        />
      )
  }
}

interface WaitingProps {
  status: SessionStatus
  payment: PaymentInHand
  trouble: boolean
}

function Waiting({ status, payment, trouble }: WaitingProps) {
  const { t } = useLocale()
  return (
    <StatusPanel
      state="pending"
      title={t.result.waitingTitle}
      note={t.result.waitingNote}
      trouble={trouble}
    >
      {status.order_id && <OrderNumber orderId={status.order_id} />}
      <div className="actions">
        <Link href={payAddress(payment)} className="button quiet" data-testid="back-to-payment">
          {t.result.backToPayment}
        </Link>
      </div>
    </StatusPanel>
  )
}

/** What the shopper can quote to the shop. */
function Reference({ status }: { status: SessionStatus }) {
  const { t } = useLocale()
  return (
    <p className="muted reference">
      {t.result.reference} <code>{status.id}</code>
    </p>
  )
}

function paymentOf(query: URLSearchParams): PaymentInHand | null {
  const last = rememberedPayment.read()
  const sessionId = plainId(query.get("session")) ?? last?.sessionId
  if (!sessionId) {
    return null
  }
  const lastCart = last?.sessionId === sessionId ? last.cartId : null
  return { sessionId, cartId: plainId(query.get("cart")) ?? lastCart }
}
