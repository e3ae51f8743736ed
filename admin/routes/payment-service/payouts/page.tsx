import { defineRouteConfig } from "@medusajs/admin-sdk"

import { CardsPage, titled } from "../../../components/cards"
import { PayoutGate } from "../../../components/payouts/payout-gate"
import { PayoutList } from "../../../components/payouts/payout-list"
import { Search } from "../../../components/list-table"
import { withoutCardNumbers } from "../../../lib/payouts/card-number"

const PayoutsPage = () => (
  <Search mask={withoutCardNumbers}>
    <CardsPage
      zone="payment_service_payout.list"
      main={{
        PaymentServicePayouts: (
          <PayoutGate>{(settings) => <PayoutList settings={settings} />}</PayoutGate>
        ),
      }}
    />
  </Search>
)

export const config = defineRouteConfig({
  label: "menu.payouts",
  translationNs: "paymentService",
  rank: 3,
})

export const handle = titled("payout.title")

export default PayoutsPage
