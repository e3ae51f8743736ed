import { StatusBadge, Text } from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"

import type { Text as Texts } from "../lib/api"
import { useFormat } from "../lib/format"
import { exportKeys } from "../lib/query-keys"
import { ask } from "../lib/sdk"

const MOST = 5
/** The end of an export that runs now comes into view after this long. */
const EVERY_MS = 5_000

/** A file that somebody asked for. */
interface ExportRecord {
  id: string
  by: string
  by_name: string | null
  name: string
  started_at: string
  outcome: keyof typeof COLORS
  rows: number
  error_messages: Texts | null
}

const COLORS = { running: "orange", complete: "green", canceled: "grey", failed: "red" } as const

/** The latest exports of all admins; nothing for those who may not see them. */
export const RecentExports = () => {
  const { t, text, moment, word } = useFormat()
  const { data } = useQuery({
    queryKey: exportKeys.all,
    queryFn: () => ask<{ exports: ExportRecord[] }>("exports", { limit: MOST }),
    refetchInterval: EVERY_MS,
    retry: false,
  })
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
            <StatusBadge color={COLORS[one.outcome]}>
              {word("exports.outcomes", one.outcome)}
              {one.error_messages && `: ${text(one.error_messages)}`}
            </StatusBadge>
          </li>
        ))}
      </ul>
    </section>
  )
}
