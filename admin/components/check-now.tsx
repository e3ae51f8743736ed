import { Button, toast } from "@medusajs/ui"

import { useFormat } from "../lib/format"
import { useMay } from "../lib/permissions"
import { useSettle } from "../lib/queries"

/** Has the service asked about a payment, and shows its answer; `FailedCheck` shows why there is none. */
export const CheckNow = ({ id, isPossible }: { id: string; isPossible: boolean }) => {
  const { t, text } = useFormat()
  const settle = useSettle(id)
  const mayCheck = useMay("update")
  const check = () => {
    settle.mutate(undefined, {
      onSuccess: ({ verdict: { messages } }) =>
        toast.success(t("verdict.checked"), { description: text(messages) }),
    })
  }
  if (!mayCheck) return null
  return (
    <Button
      size="small"
      variant="secondary"
      className="w-fit"
      onClick={check}
      isLoading={settle.isPending}
      disabled={!isPossible}
    >
      {t("verdict.check")}
    </Button>
  )
}
