import { defineRouteConfig } from "@medusajs/admin-sdk"

import { CardsPage } from "../../../components/cards"
import { PayoutGate } from "../../../components/payouts/payout-gate"
import { PayoutList } from "../../../components/payouts/payout-list"
import { useFormat } from "../../../lib/format"

/** Money that was sent, or is to be sent, to ruble cards. */
const PayoutsPage = () => (
  <CardsPage
    zone="payment_service_payout.list"
    main={{
      PaymentServicePayouts: (
        <PayoutGate>{(settings) => <PayoutList settings={settings} />}</PayoutGate>
      ),
    }}
  />
)

export const config = defineRouteConfig({
  label: "menu.payouts",
  translationNs: "paymentService",
  rank: 6,
})

export const handle = {
  breadcrumb: () => <PayoutsBreadcrumb />,
}

const PayoutsBreadcrumb = () => <>{useFormat().t("payout.title")}</>

export default PayoutsPage
