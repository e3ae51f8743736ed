import { Badge, Text } from "@medusajs/ui"

import { type ExportSource, useFilterWords } from "../lib/filter-words"
import { useFormat } from "../lib/format"

/** The filters of an export in words. */
export const ExportFilters = ({
  source,
  filters,
}: {
  source: ExportSource
  filters: Record<string, unknown>
}) => {
  const { t } = useFormat()
  const words = useFilterWords()(source, filters)
  if (!words.length) {
    return (
      <Text size="small" className="text-ui-fg-subtle">
        {t("exports.everything")}
      </Text>
    )
  }
  return (
    <ul className="flex flex-wrap gap-2">
      {words.map(({ name, value }) => (
        <li key={name}>
          <Badge size="2xsmall" className="h-auto break-all">
            {name}: {value}
          </Badge>
        </li>
      ))}
    </ul>
  )
}
