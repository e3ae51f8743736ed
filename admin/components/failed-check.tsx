import { Alert } from "@medusajs/ui"

import { useFormat } from "../lib/format"
import { useLastSettle } from "../lib/queries"
import { useErrorWords } from "../lib/refusal"

/** When and why the last check of a payment failed, until the next one begins. */
export const FailedCheck = ({ id }: { id: string }) => {
  const { t, moment } = useFormat()
  const words = useErrorWords()
  const last = useLastSettle(id)
  if (!last?.error) return null
  const at = moment(new Date(last.submittedAt).toISOString())
  return (
    <Alert variant="error" role="alert">
      {t("verdict.checkFailed", { at, reason: words(last.error) })}
    </Alert>
  )
}
