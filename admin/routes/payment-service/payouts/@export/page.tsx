import { ExportDrawer } from "../../../../components/exports/export-drawer"
import { usePayoutFilters } from "../../../../components/payouts/payout-list"
import { useFormat } from "../../../../lib/format"
import { ownZone } from "../../../../lib/period"

/** Exports the list of payouts with its filters; a file has its own order. */
const ExportPage = () => (
  <ExportDrawer
    title={useFormat().t("payout.export.title")}
    asked={{
      file: "payouts",
      source: "payouts",
      query: { ...usePayoutFilters(), time_zone: ownZone() },
    }}
    datesOf={({ from, to }) => ({ created_at: { gte: from, lt: to } })}
  />
)

export default ExportPage
