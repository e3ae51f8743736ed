import { RouteDrawer } from "@medusajs/dashboard/components"
import { Heading } from "@medusajs/ui"

import { ExportForm } from "../../../../components/export-form"
import { useExportQuery } from "../../../../lib/export-query"
import { useFormat } from "../../../../lib/format"

/** Exports what the list below it shows; the address bar carries the list's filters. */
const ExportDrawer = () => {
  const { t } = useFormat()
  const asked = useExportQuery()
  return (
    <RouteDrawer>
      <RouteDrawer.Header>
        <RouteDrawer.Title asChild>
          <Heading>{t("exports.title")}</Heading>
        </RouteDrawer.Title>
        <RouteDrawer.Description>{t("exports.description")}</RouteDrawer.Description>
      </RouteDrawer.Header>
      <ExportForm asked={asked} />
    </RouteDrawer>
  )
}

export default ExportDrawer
