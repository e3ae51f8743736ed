import { PaymentLinkPanel } from "medusa-payment-sbp-crypto-storefront"
import { useLocale } from "../i18n/LocaleProvider"
import { reader } from "../medusa"
import { usePlace } from "../navigation"
import { paymentSign, paymentSlots } from "../payment/look"

/** The links' addresses, as the dashboard of Medusa copies them: `/payment-collection/<id>?order_id=…`. */
export const PAYMENT_LINKS = "/payment-collection/"

export function PaymentLinkPage() {
  const { locale } = useLocale()
  const { path } = usePlace()
  return (
    <PaymentLinkPanel
      collectionId={path.slice(PAYMENT_LINKS.length)}
      reader={reader}
      locale={locale}
      slots={paymentSlots}
      heading={1}
      sign={paymentSign}
    />
  )
}
