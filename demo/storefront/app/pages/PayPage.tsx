import { useEffect, useState } from "react"
import { useCart } from "../cart/CartProvider"
import { Steps } from "../checkout/Steps"
import { Empty } from "../frame/Empty"
import { Loading } from "../frame/Loading"
import { usePageTitle } from "../frame/usePageTitle"
import { useLocale } from "../i18n/LocaleProvider"
import { navigate, usePlace } from "../navigation"
import { Declined } from "../payment/Declined"
import { findPayment, type PaymentInHand } from "../payment/findPayment"
import { Live } from "../payment/Live"
import { OpenPayment } from "../payment/OpenPayment"
import { resultAddress } from "../payment/paymentAddresses"
import { StatusPanel } from "../payment/StatusPanel"
import { usePaymentStatus } from "../payment/usePaymentStatus"

export function PayPage() {
  return (
    <Live>
      <Payment />
    </Live>
  )
}

function Payment() {
  const { t } = useLocale()
  const { cart, reload } = useCart()
  const { query } = usePlace()
  const asked = query.get("session")
  const askedCart = query.get("cart")
  const [payment, setPayment] = useState<PaymentInHand | "looking" | null>("looking")
  usePageTitle(t.payment.title)

  useEffect(() => {
    let current = true
    void reload().then((fresh) => {
      if (!current) {
        return
      }
      const found = findPayment(fresh, asked, askedCart)
      setPayment(found)
      if (!found && fresh?.items?.length) {
        navigate("/checkout", { replace: true })
      }
    })
    return () => {
      current = false
    }
  }, [reload, asked, askedCart])

  const inHand = payment === "looking" ? null : payment
  const { status, trouble, unknown } = usePaymentStatus(inHand?.sessionId ?? null)
  const settled = status?.state === "paid" || status?.state === "problem"

  useEffect(() => {
    if (settled && inHand) {
      navigate(resultAddress(inHand), { replace: true })
    }
  }, [settled, inHand])

  if (payment === null) {
    return <Empty title={t.payment.nothing} />
  }
  if (unknown) {
    return <Empty title={t.payment.unknown} note={t.payment.unknownNote} />
  }
  if (!inHand || !status || settled) {
    return trouble ? (
      <StatusPanel state="loading" title={t.payment.loading} trouble />
    ) : (
      <Loading label={t.payment.loading} />
    )
  }
  return (
    <>
      <Steps current="payment" />
      {status.state === "pending" ? (
        <OpenPayment status={status} cart={cart} trouble={trouble} />
      ) : (
        <Declined
          status={status}
          cartId={inHand.cartId}
          trouble={trouble}
          onStarted={(sessionId) => {
            if (asked) {
              navigate("/checkout/pay", { replace: true })
            }
            setPayment({ sessionId, cartId: inHand.cartId })
            void reload()
          }}
        />
      )}
    </>
  )
}
