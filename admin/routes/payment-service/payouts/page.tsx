import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"

import { PayoutGate } from "../../../components/payouts/payout-gate"
import { PayoutList } from "../../../components/payouts/payout-list"
import { useFormat } from "../../../lib/format"

/** Money that was sent, or is to be sent, to ruble cards. */
const PayoutsPage = () => (
  <LayoutComposer
    widgetsZonePrefix="payment_service_payout.list"
    preferredLayoutId="core:single-column"
    sections={{
      main: (
        <LayoutComposer.Entry id="PaymentServicePayouts">
          <PayoutGate>{(settings) => <PayoutList settings={settings} />}</PayoutGate>
        </LayoutComposer.Entry>
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
