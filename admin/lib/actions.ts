import { ordersQueryKeys } from "@medusajs/dashboard/hooks"
import { toast, usePrompt } from "@medusajs/ui"
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query"

import { useFormat } from "./format"
import { keyOf } from "./sdk"

/** The reads that a settle or an action on a payment, a problem or a payout may change, with Medusa's own of the order. */
const CHANGED: QueryKey[] = [
  ...["transactions", "payments", "problems", "comparisons", "overview"].map(keyOf),
  ...["payouts", "payout-settings"].map(keyOf),
  ordersQueryKeys.all,
]

/** Has these reads repeated. */
export function useReadAgain(...paths: string[]): () => Promise<unknown> {
  const client = useQueryClient()
  const keys = paths.length > 0 ? paths.map(keyOf) : CHANGED
  return () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}

interface Acting<Input, Answer> {
  run: (input: Input) => Promise<Answer>
  done?: (answer: Answer) => void
  /** The key of the words above the reason of a failure; without it, the page shows failures itself. */
  failed?: string
  /** The reads that are repeated after it; unless given, all that a payment may change. */
  readAgain?: string[]
}

/** Changes something by a route, has read again what that may have changed, and tells what came of it. */
export function useAction<Answer, Input = void>(acting: Acting<Input, Answer>) {
  const { t, reasonOf } = useFormat()
  const { run, done, failed, readAgain = [] } = acting
  const { mutate, ...state } = useMutation({
    mutationFn: run,
    onSettled: useReadAgain(...readAgain),
  })
  const act = (input: Input) =>
    mutate(input, {
      ...(done ? { onSuccess: done } : {}),
      onError: (error) => failed && toast.error(t(failed), { description: reasonOf(error) }),
    })
  return { act, ...state }
}

interface Question {
  /** The name of the action. */
  label: string
  description: string
  title?: string
  isDangerous?: boolean
}

/** Asks the admin before an action is done. */
export function useConfirm() {
  const { t } = useFormat()
  const prompt = usePrompt()
  return async ({ label, description, title = label, isDangerous }: Question) =>
    await prompt({
      title,
      description,
      confirmText: label,
      cancelText: t("actions.cancel"),
      variant: isDangerous ? "danger" : "confirmation",
    })
}
