import { Text } from "@medusajs/ui"

import { useExports } from "../lib/exports"
import { useFormat } from "../lib/format"
import { ExportFilters } from "./export-filters"
import { ExportOutcome } from "./export-outcome"
import { LinkTo } from "./link-to"

const MOST = 5

/** The latest exports of all admins, and the way to all of them; nothing for those who may not see them. */
export const RecentExports = () => {
  const { t, moment } = useFormat()
  const { data } = useExports({ limit: MOST, offset: 0 })
  if (!data?.exports.length) return null
  return (
    <section className="flex flex-col gap-y-2">
      <Text size="small" weight="plus" leading="compact">
        {t("exports.recent")}
      </Text>
      <ul className="flex flex-col gap-y-3">
        {data.exports.map((one) => (
          <li key={one.id} className="flex flex-col items-start gap-y-1">
            <Text size="small" leading="compact" className="break-all">
              {one.name}
            </Text>
            <Text size="xsmall" className="text-ui-fg-subtle">
              {[
                one.by_name ?? one.by,
                moment(one.started_at, "short"),
                t("exports.rows", { count: one.rows }),
              ].join(" · ")}
            </Text>
            <ExportFilters source={one.source} filters={one.filters} />
            <ExportOutcome record={one} />
          </li>
        ))}
      </ul>
      <Text size="small">
        <LinkTo to="/payment-service/exports">{t("exports.all")}</LinkTo>
      </Text>
    </section>
  )
}
