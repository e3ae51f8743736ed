import { PaymentPanel } from "medusa-payment-sbp-crypto-storefront"
import { useEffect, useState } from "react"
import { useCart } from "../cart/CartProvider"
import { Steps } from "../checkout/Steps"
import { Empty } from "../frame/Empty"
import { Loading } from "../frame/Loading"
import { usePageTitle } from "../frame/usePageTitle"
import { useLocale } from "../i18n/LocaleProvider"
import { reader } from "../medusa"
import { navigate, usePlace } from "../navigation"
import { findPayment, type PaymentInHand } from "../payment/findPayment"
import { contact, paymentSign, paymentSlots } from "../payment/look"
import { PaidFor } from "../payment/PaidFor"
import { payAddress, resultAddress } from "../payment/paymentAddresses"
import { rememberedPayment } from "../remembered"

export function PayPage() {
  const { t, locale } = useLocale()
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

  if (payment === "looking") {
    return <Loading label={t.payment.loading} />
  }
  if (payment === null) {
    return <Empty title={t.payment.nothing} />
  }
  return (
    <>
      <Steps current="payment" />
      <h1>{t.payment.title}</h1>
      <PaymentPanel
        sessionId={payment.sessionId}
        cartId={payment.cartId}
        reader={reader}
        locale={locale}
        slots={paymentSlots}
        sign={paymentSign}
        facts={<PaidFor cart={cart} />}
        changeMethod={() => navigate("/checkout")}
        contact={contact}
        shopPage="/"
        onPaid={() => navigate(resultAddress(payment), { replace: true })}
        onSession={(sessionId) => {
          const next = { sessionId, cartId: payment.cartId }
          rememberedPayment.write(next)
          navigate(payAddress(next), { replace: true })
        }}
      />
    </>
  )
}
