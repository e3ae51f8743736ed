import { RouteDrawer } from "@medusajs/dashboard/components"
import { Heading } from "@medusajs/ui"

import type { ExportQuery } from "../lib/export-query"
import { useFormat } from "../lib/format"
import { ExportForm } from "./export-form"

/** Exports the list below it; the address bar has the list's filters. */
export const ExportDrawer = ({ asked, title }: { asked: ExportQuery; title: string }) => {
  const { t } = useFormat()
  return (
    <RouteDrawer>
      <RouteDrawer.Header>
        <RouteDrawer.Title asChild>
          <Heading>{title}</Heading>
        </RouteDrawer.Title>
        <RouteDrawer.Description className="txt-small text-ui-fg-subtle">
          {t("exports.description")}
        </RouteDrawer.Description>
      </RouteDrawer.Header>
      <ExportForm asked={asked} />
    </RouteDrawer>
  )
}
