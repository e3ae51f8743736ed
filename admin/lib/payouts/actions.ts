import { useRef, useState } from "react"

import type { PayoutAnswer, PayoutState, Reads } from "../answers"
import { useFormat } from "../format"
import { ask, call, entryOf, post, useConfirm, useReadAgain } from "../sdk"

/** A payout that is to be made or sent; `last4` are the last digits of a number that is typed now. */
interface Meant {
  id: string | null
  amount: number
  card_id: string | null
  last4: string | null
}

/** The admin is asked before the same card gets the same amount again within this time. */
const SIMILAR_MS = 10 * 60_000
const NOTHING_WENT: PayoutState[] = ["rejected", "discarded", "marked_not_sent"]

/** Whether somebody has made or sent a payout of the same amount to the same card a moment ago. */
async function isThereSimilar({ id, amount, card_id, last4 }: Meant): Promise<boolean> {
  if (card_id === null && last4 === null) return false
  const { payouts } = await ask<Reads["payouts"]>("payouts", { q: String(amount), limit: 50 })
  const since = Date.now() - SIMILAR_MS
  return payouts.some((one) => {
    const isSameCard = card_id ? one.card_id === card_id : one.card_masked?.slice(-4) === last4
    const isNew = [one.created_at, one.sent_at].some((at) => at && Date.parse(at) > since)
    const isOther = one.id !== id && one.amount === amount && !NOTHING_WENT.includes(one.state)
    return isOther && isSameCard && isNew
  })
}

/** Makes a payout, or does something with one that is there. */
export const actOn = (
  id: string | null,
  action: "" | "/approve" | "/mark" | "/send",
  body: object
) => post<PayoutAnswer>(id === null ? "payouts" : `${entryOf("payouts", id)}${action}`, body)

export const discardPayout = (id: string) =>
  call<PayoutAnswer>(entryOf("payouts", id), { method: "DELETE" })

/** Does one action on a payout at a time, and asks the admin before a payout that is similar to one of the last minutes. */
export function usePayoutAction() {
  const { t, reasonOf } = useFormat()
  const confirm = useConfirm()
  const readAgain = useReadAgain()
  const isAtWork = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)

  const isMeant = async (meant: Meant) => {
    // A list that cannot be read stops nobody: it is a warning, and each payout is sent once.
    if (!(await isThereSimilar(meant).catch(() => false))) return true
    return await confirm({
      title: t("payout.similar.title"),
      description: t("payout.similar.whatIsThere"),
      label: t("payout.similar.confirm"),
    })
  }

  /**
   * It is a plain call: react-query keeps a mutation's input, but a card number must not be kept.
   *
   * @param meant the payout that may be a second one of the same kind
   */
  const run = async (action: () => Promise<PayoutAnswer>, meant?: Meant) => {
    if (isAtWork.current) return "refused"
    isAtWork.current = true
    setIsBusy(true)
    setRefusal(null)
    try {
      return meant && !(await isMeant(meant)) ? "refused" : await action()
    } catch (error) {
      setRefusal(reasonOf(error))
      // Any other error leaves open whether the action was done.
      const { status = 500 } = error as { status?: number }
      return status < 500 ? "refused" : "not_known"
    } finally {
      isAtWork.current = false
      setIsBusy(false)
      await readAgain()
    }
  }
  return { run, isBusy, refusal }
}
