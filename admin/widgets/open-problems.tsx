import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { ExclamationCircle } from "@medusajs/icons"
import { Badge, Tooltip } from "@medusajs/ui"

import { ActionLink } from "../components/link-to"
import { useFormat } from "../lib/format"
import { useMay, useRead } from "../lib/sdk"

/** The number of open problems, on every page, for users who may see them; nothing without any. */
const OpenProblems = () => {
  const { t } = useFormat()
  const mayRead = useMay("read")
  const { data } = useRead(
    "problems",
    { status: "open", limit: 1 },
    {
      refetchInterval: 60_000,
      enabled: mayRead,
      retry: false,
    }
  )
  if (!data?.count) return null
  const label = t("problems.open", { count: data.count })
  return (
    <Tooltip content={label}>
      <ActionLink to="/payment-service/problems" variant="transparent" aria-label={label}>
        <ExclamationCircle />
        <Badge size="2xsmall" color="red" rounded="full">
          {data.count > 99 ? "99+" : data.count}
        </Badge>
      </ActionLink>
    </Tooltip>
  )
}

export const config = defineWidgetConfig({ zone: "topbar", id: "payment-service-open-problems" })

export default OpenProblems
