import { RouteDrawer, useRouteModal } from "@medusajs/dashboard/components"
import { toast } from "@medusajs/ui"
import { type FormEvent, useState } from "react"

import { CARD_DIGITS } from "../../lib/card-number"
import { approvePayout } from "../../lib/payout-queries"
import { usePayoutWords } from "../../lib/payout-words"
import type { Payout } from "../../lib/api"
import { usePayoutDeed } from "../../lib/use-payout-deed"
import { DeedFooter } from "../deed-footer"
import { CardNumberField } from "./card-number-field"
import { ignoreEnter } from "./ignore-enter"
import { Refused } from "./refused"

/** Approves a payout to a typed card: who approves it types the number, too, so that two people know where the money goes. */
export const ApproveTyped = ({ payout }: { payout: Payout }) => {
  const { handleSuccess } = useRouteModal()
  const { t, rubles, toCard } = usePayoutWords()
  const { run, isBusy, refusal } = usePayoutDeed()
  const [number, setNumber] = useState("")
  // The approval is for the payout that was seen when the drawer opened.
  const [revision] = useState(payout.revision)
  const what = { sum: rubles(payout.amount), card: toCard(payout) }
  const approve = async (event: FormEvent) => {
    event.preventDefault()
    const done = await run(() => approvePayout(payout.id, { revision, card_number: number }))
    if (typeof done === "string") return
    setNumber("")
    toast.success(t("payout.approve.done"))
    handleSuccess()
  }
  return (
    <form
      onSubmit={(event) => void approve(event)}
      onKeyDown={ignoreEnter}
      autoComplete="off"
      className="flex flex-1 flex-col overflow-hidden"
    >
      <RouteDrawer.Header>
        <RouteDrawer.Title>{t("payout.approve.title", what)}</RouteDrawer.Title>
        <RouteDrawer.Description className="txt-small text-ui-fg-subtle">
          {t("payout.approve.whatHappensTyped")}
        </RouteDrawer.Description>
      </RouteDrawer.Header>
      <RouteDrawer.Body className="flex flex-col gap-y-6 overflow-y-auto">
        <CardNumberField digits={number} onChange={setNumber} />
        <Refused refusal={refusal} />
      </RouteDrawer.Body>
      <DeedFooter
        label={t("payout.actions.approve")}
        isBusy={isBusy}
        isPossible={number.length === CARD_DIGITS}
      />
    </form>
  )
}
