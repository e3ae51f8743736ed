import { Alert, Button, toast, usePrompt } from "@medusajs/ui"

import { stopPayouts, useReadPayoutsAgain } from "../../lib/payout-queries"
import { usePayoutWords } from "../../lib/payout-words"
import type { PayoutSettings } from "../../lib/api"
import { useErrorWords } from "../../lib/refusal"

/** Stops all payouts at once, or says who has stopped them and lifts that. */
export const PayoutStop = ({ settings: { stopped, may } }: { settings: PayoutSettings }) => {
  const { t, moment } = usePayoutWords()
  const words = useErrorWords()
  const prompt = usePrompt()
  const readAgain = useReadPayoutsAgain()
  const act = stopped ? "lift" : "set"

  const change = async () => {
    const isMeant = await prompt({
      title: t(`payout.stop.${act}.action`),
      description: t(`payout.stop.${act}.whatHappens`),
      confirmText: t(`payout.stop.${act}.action`),
      cancelText: t("actions.cancel"),
      variant: stopped ? "confirmation" : "danger",
    })
    if (!isMeant) return
    await stopPayouts(!stopped).catch((error: unknown) => toast.error(words(error)))
    await readAgain()
  }
  const button = may.create && (
    <Button size="small" variant="secondary" onClick={() => void change()}>
      {t(`payout.stop.${act}.action`)}
    </Button>
  )
  if (!stopped) return button
  return (
    <Alert variant="warning" className="w-full">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {t("payout.stop.isSet", { name: stopped.by?.name, moment: moment(stopped.at, "short") })}
        {button}
      </div>
    </Alert>
  )
}
