import { RouteDrawer } from "@medusajs/dashboard/components"
import { Heading } from "@medusajs/ui"

import { ExportForm } from "../../../../components/export-form"
import { useFormat } from "../../../../lib/format"
import { usePayoutExportQuery } from "../../../../lib/payout-export-query"

/** Exports what the list below it shows; the address bar carries the list's filters. */
const ExportDrawer = () => {
  const { t } = useFormat()
  const asked = usePayoutExportQuery()
  return (
    <RouteDrawer>
      <RouteDrawer.Header>
        <RouteDrawer.Title asChild>
          <Heading>{t("payout.export.title")}</Heading>
        </RouteDrawer.Title>
        <RouteDrawer.Description>{t("exports.description")}</RouteDrawer.Description>
      </RouteDrawer.Header>
      <ExportForm asked={asked} />
    </RouteDrawer>
  )
}

export default ExportDrawer
