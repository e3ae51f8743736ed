import { usePrompt } from "@medusajs/ui"
import { useRef, useState } from "react"

import { useFormat } from "./format"
import { type Confirmed, useReadPayoutsAgain } from "./payout-queries"
import type { Payout, PayoutAnswer } from "./payouts-api"
import { Refusal, useErrorWords } from "./refusal"

/** The result of a deed: the payout after it, a refusal, or an unknown result. */
type Done = { payout: Payout } | "refused" | "not_known"

/**
 * Does one deed on a payout at a time: a second click during it does nothing. A payout similar to one of the last minutes needs a
 * confirmation.
 */
export function usePayoutDeed() {
  const { t } = useFormat()
  const words = useErrorWords()
  const prompt = usePrompt()
  const readAgain = useReadPayoutsAgain()
  const isAtWork = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  /** The last refusal as text. */
  const [refusal, setRefusal] = useState<string | null>(null)

  const askingFirst = async (deed: (confirmed: Confirmed) => Promise<PayoutAnswer>) => {
    try {
      return await deed({})
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "similar_payout") throw error
      const isMeant = await prompt({
        title: t("payout.similar.title"),
        description: words(error),
        confirmText: t("payout.similar.confirm"),
        cancelText: t("actions.cancel"),
        variant: "confirmation",
      })
      return isMeant ? await deed({ confirm_similar: true }) : null
    }
  }

  const run = async (deed: (confirmed: Confirmed) => Promise<PayoutAnswer>): Promise<Done> => {
    if (isAtWork.current) return "refused"
    isAtWork.current = true
    setIsBusy(true)
    setRefusal(null)
    try {
      const answer = await askingFirst(deed)
      return answer ?? "refused"
    } catch (error) {
      setRefusal(words(error))
      // Any other error leaves open whether the deed was done.
      return error instanceof Refusal && error.status < 500 ? "refused" : "not_known"
    } finally {
      isAtWork.current = false
      setIsBusy(false)
      await readAgain()
    }
  }
  return { run, isBusy, refusal }
}
