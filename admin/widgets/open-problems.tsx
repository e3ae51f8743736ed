import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { ExclamationCircle } from "@medusajs/icons"
import { Badge, Button, Tooltip } from "@medusajs/ui"
import { Link } from "react-router-dom"

import { useFormat } from "../lib/format"
import { useOpenProblems } from "../lib/queries"

/** The number of open problems, on every page; nothing without any. */
const OpenProblems = () => {
  const { t } = useFormat()
  const { data } = useOpenProblems()
  if (!data?.count) return null
  const label = t("problems.open", { count: data.count })
  return (
    <Tooltip content={label}>
      <Button size="small" variant="transparent" asChild>
        <Link to="/payment-service/problems" aria-label={label}>
          <ExclamationCircle />
          <Badge size="2xsmall" color="red" rounded="full">
            {data.count > 99 ? "99+" : data.count}
          </Badge>
        </Link>
      </Button>
    </Tooltip>
  )
}

export const config = defineWidgetConfig({ zone: "topbar", id: "payment-service-open-problems" })

export default OpenProblems
