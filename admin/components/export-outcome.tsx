import { StatusBadge, Text } from "@medusajs/ui"

import type { ExportRecord } from "../lib/exports"
import { useFormat } from "../lib/format"

const COLORS = { running: "orange", complete: "green", canceled: "grey", failed: "red" } as const

/** How an export ended, and why it broke off. */
export const ExportOutcome = ({ record }: { record: ExportRecord }) => {
  const { text, word } = useFormat()
  return (
    <div className="flex flex-col items-start gap-y-1 whitespace-normal">
      <StatusBadge color={COLORS[record.outcome]}>
        {word("exports.outcomes", record.outcome)}
      </StatusBadge>
      {record.error_messages && (
        <Text size="xsmall" className="text-ui-fg-subtle line-clamp-4 break-words">
          {text(record.error_messages)}
        </Text>
      )}
    </div>
  )
}
