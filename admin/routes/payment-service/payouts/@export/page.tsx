import { ExportDrawer } from "../../../../components/export-drawer"
import { usePayoutExportQuery } from "../../../../lib/payout-list-query"
import { useFormat } from "../../../../lib/format"

const ExportPage = () => (
  <ExportDrawer asked={usePayoutExportQuery()} title={useFormat().t("payout.export.title")} />
)

export default ExportPage
