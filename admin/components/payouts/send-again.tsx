import { RouteDrawer, useRouteModal } from "@medusajs/dashboard/components"
import { Alert, Checkbox, Label, Text } from "@medusajs/ui"
import { useState } from "react"

import { CARD_DIGITS } from "../../lib/card-number"
import { sendPayout } from "../../lib/payout-queries"
import { usePayoutWords } from "../../lib/payout-words"
import type { Payout } from "../../lib/api"
import { usePayoutAction } from "../../lib/use-payout-action"
import { ActionHeader, TypedForm } from "../action-form"
import { CardNumberField } from "./card-number-field"
import { Refused } from "./refused"

/** Repeats the same request, after somebody has looked in the service's account area. */
export const SendAgain = ({ payout }: { payout: Payout }) => {
  const { handleSuccess } = useRouteModal()
  const { t, rubles, card } = usePayoutWords()
  const { run, isBusy, refusal } = usePayoutAction()
  const [hasLooked, setHasLooked] = useState(false)
  const [number, setNumber] = useState("")
  const isWhole = !payout.needs_card_number || number.length === CARD_DIGITS
  const send = async () => {
    const done = await run(() =>
      sendPayout(payout.id, {
        again: true,
        revision: payout.revision,
        ...(payout.needs_card_number ? { card_number: number } : {}),
      })
    )
    if (done === "refused") return
    setNumber("")
    handleSuccess()
  }
  return (
    <TypedForm
      label={t("payout.actions.send_again")}
      isBusy={isBusy}
      isPossible={hasLooked && isWhole}
      doIt={() => void send()}
    >
      <ActionHeader title={t("payout.actions.send_again")}>
        {t("payout.again.whatHappens", { sum: rubles(payout.amount), card: card(payout) })}
      </ActionHeader>
      <RouteDrawer.Body className="flex flex-col gap-y-6 overflow-y-auto">
        <Alert variant="warning">{t("payout.again.lookFirst")}</Alert>
        {payout.needs_card_number && (
          <div className="flex flex-col gap-y-2">
            <CardNumberField digits={number} onChange={setNumber} />
            <Text size="small" className="text-ui-fg-subtle">
              {t("payout.again.sameNumber")}
            </Text>
          </div>
        )}
        <div className="flex items-start gap-x-2">
          <Checkbox
            id="payout-looked"
            checked={hasLooked}
            onCheckedChange={(checked) => setHasLooked(checked === true)}
          />
          <Label htmlFor="payout-looked" size="small">
            {t("payout.again.looked")}
          </Label>
        </div>
        <Refused refusal={refusal} />
      </RouteDrawer.Body>
    </TypedForm>
  )
}
