import { RouteDrawer, useRouteModal } from "@medusajs/dashboard/components"
import { toast } from "@medusajs/ui"
import { useState } from "react"

import { CARD_DIGITS } from "../../lib/card-number"
import { approvePayout } from "../../lib/payout-queries"
import { usePayoutWords } from "../../lib/payout-words"
import type { Payout } from "../../lib/api"
import { usePayoutAction } from "../../lib/use-payout-action"
import { ActionHeader, TypedForm } from "../action-form"
import { CardNumberField } from "./card-number-field"
import { Refused } from "./refused"

/** Approves a payout to a typed card: who approves it types the number, too, so that two people know where the money goes. */
export const ApproveTyped = ({ payout }: { payout: Payout }) => {
  const { handleSuccess } = useRouteModal()
  const { t, rubles, toCard } = usePayoutWords()
  const { run, isBusy, refusal } = usePayoutAction()
  const [number, setNumber] = useState("")
  // The approval is for the payout that was seen when the drawer opened.
  const [revision] = useState(payout.revision)
  const what = { sum: rubles(payout.amount), card: toCard(payout) }
  const approve = async () => {
    const done = await run(() => approvePayout(payout.id, { revision, card_number: number }))
    if (typeof done === "string") return
    setNumber("")
    toast.success(t("payout.approve.done"))
    handleSuccess()
  }
  return (
    <TypedForm
      label={t("payout.actions.approve")}
      isBusy={isBusy}
      isPossible={number.length === CARD_DIGITS}
      doIt={() => void approve()}
    >
      <ActionHeader title={t("payout.approve.title", what)}>
        {t("payout.approve.whatHappensTyped")}
      </ActionHeader>
      <RouteDrawer.Body className="flex flex-col gap-y-6 overflow-y-auto">
        <CardNumberField digits={number} onChange={setNumber} />
        <Refused refusal={refusal} />
      </RouteDrawer.Body>
    </TypedForm>
  )
}
