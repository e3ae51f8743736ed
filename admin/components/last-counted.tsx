import { Text } from "@medusajs/ui"

import type { Page } from "../lib/api"
import { useFormat } from "../lib/format"
import { MOST_COUNTED } from "../lib/lists"

/** Says on the last page of a list whose rows are not all counted that there may be more; nothing elsewhere. */
export const LastCounted = ({ answer }: { answer: Page | undefined }) => {
  const { t, number } = useFormat()
  if (!answer || answer.count < MOST_COUNTED || answer.offset + answer.limit < answer.count) {
    return null
  }
  return (
    <Text size="small" className="text-ui-fg-subtle border-t px-6 py-4">
      {t("lists.lastCounted", { number: number(MOST_COUNTED) })}
    </Text>
  )
}
