import { usePrompt } from "@medusajs/ui"
import { useRef, useState } from "react"

import { useFormat } from "./format"
import { isThereSimilar, type Meant, useReadPayoutsAgain } from "./payout-queries"
import type { Payout, PayoutAnswer } from "./api"
import { Refusal, useErrorWords } from "./refusal"

/** The result of an action: the payout after it, a refusal, or an unknown result. */
type Done = { payout: Payout } | "refused" | "not_known"

/**
 * Does one action on a payout at a time: a second click during it does nothing. Before a payout that is similar to one of the last
 * minutes, the admin is asked.
 */
export function usePayoutAction() {
  const { t } = useFormat()
  const words = useErrorWords()
  const prompt = usePrompt()
  const readAgain = useReadPayoutsAgain()
  const isAtWork = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  /** The last refusal as text. */
  const [refusal, setRefusal] = useState<string | null>(null)

  const isMeant = async (meant: Meant) => {
    // A list that cannot be read stops nobody: it is a warning, and each payout is sent once.
    if (!(await isThereSimilar(meant).catch(() => false))) return true
    return await prompt({
      title: t("payout.similar.title"),
      description: t("payout.similar.whatIsThere"),
      confirmText: t("payout.similar.confirm"),
      cancelText: t("actions.cancel"),
      variant: "confirmation",
    })
  }

  /** @param meant the payout that may be a second one of the same kind */
  const run = async (action: () => Promise<PayoutAnswer>, meant?: Meant): Promise<Done> => {
    if (isAtWork.current) return "refused"
    isAtWork.current = true
    setIsBusy(true)
    setRefusal(null)
    try {
      return meant && !(await isMeant(meant)) ? "refused" : await action()
    } catch (error) {
      setRefusal(words(error))
      // Any other error leaves open whether the action was done.
      return error instanceof Refusal && error.status < 500 ? "refused" : "not_known"
    } finally {
      isAtWork.current = false
      setIsBusy(false)
      await readAgain()
    }
  }
  return { run, isBusy, refusal }
}
