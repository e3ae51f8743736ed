import { usePrompt } from "@medusajs/ui"
import { useRef, useState } from "react"

import { useFormat } from "./format"
import { type Confirmed, useReadPayoutsAgain } from "./payout-queries"
import type { Payout, PayoutAnswer } from "./payouts-api"
import { Refusal, useErrorWords } from "./refusal"

/** The result of a deed: the payout after it, or that it is not known whether it was done. */
export type Done = { payout: Payout } | "refused" | "not_known"

/**
 * Does something with a payout, one thing at a time: a second click finds the first at work. A payout that is like one
 * of the last minutes is asked about first.
 */
export function usePayoutDeed() {
  const { t } = useFormat()
  const words = useErrorWords()
  const prompt = usePrompt()
  const readAgain = useReadPayoutsAgain()
  const isAtWork = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  /** Why the last deed was not done, in words. */
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
      // Of an error that is none of ours, it is not known whether it came before or after the deed.
      return error instanceof Refusal && error.status < 500 ? "refused" : "not_known"
    } finally {
      isAtWork.current = false
      setIsBusy(false)
      await readAgain()
    }
  }
  return { run, isBusy, refusal }
}
