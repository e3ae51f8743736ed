import { Button } from "@medusajs/ui"
import { Link, useSearchParams } from "react-router-dom"

import { useFormat } from "../lib/format"
import { useMay } from "../lib/permissions"

/** Leads to the export of a list with its filters, for readers who may export. */
export const ExportLink = () => {
  const { t } = useFormat()
  const [params] = useSearchParams()
  if (!useMay("export")) return null
  return (
    <Button size="small" variant="secondary" asChild>
      <Link to={{ pathname: "export", search: params.toString() }}>{t("exports.action")}</Link>
    </Button>
  )
}
