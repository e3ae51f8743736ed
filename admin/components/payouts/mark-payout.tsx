import { RouteDrawer, useRouteModal } from "@medusajs/dashboard/components"
import { RadioGroup, toast } from "@medusajs/ui"
import { useState } from "react"

import { markPayout, usePayoutSettings } from "../../lib/payout-queries"
import { usePayoutWords } from "../../lib/payout-words"
import type { Payout } from "../../lib/api"
import { usePayoutAction } from "../../lib/use-payout-action"
import { ChoiceBox } from "../choice-box"
import { ActionForm, ActionHeader } from "../action-form"
import { NoteField } from "../note-field"
import { Refused } from "./refused"

const CHOICES = ["sent", "not_sent"] as const
type Choice = (typeof CHOICES)[number]

/** Records the outcome of an unknown payout, as shown in the service's account area. */
export const MarkPayout = ({ payout }: { payout: Payout }) => {
  const { handleSuccess } = useRouteModal()
  const { t } = usePayoutWords()
  const { run, isBusy, refusal } = usePayoutAction()
  const { data: settings } = usePayoutSettings()
  const [chosen, setChosen] = useState<Choice | "">("")
  const [note, setNote] = useState("")
  // The admin judges the requests made until the drawer opened, however often the page reads the payout after that.
  const [attempts] = useState(payout.attempts)
  const mark = async () => {
    const done = await run(() => markPayout(payout.id, { sent: chosen === "sent", note, attempts }))
    if (typeof done === "string") return
    toast.success(t("payout.mark.done"))
    handleSuccess()
  }
  return (
    <ActionForm
      label={t("payout.mark.action")}
      isBusy={isBusy}
      isPossible={chosen !== "" && note.trim() !== ""}
      doIt={() => void mark()}
    >
      <ActionHeader title={t("payout.actions.mark")}>
        {t(settings?.approval ? "payout.mark.whatHappensByTwo" : "payout.mark.whatHappens")}
      </ActionHeader>
      <RouteDrawer.Body className="flex flex-col gap-y-6 overflow-y-auto">
        <RadioGroup
          value={chosen}
          onValueChange={(value) => setChosen(value as Choice)}
          aria-label={t("payout.actions.mark")}
        >
          {CHOICES.map((choice) => (
            <ChoiceBox
              key={choice}
              value={choice}
              label={t(`payout.mark.${choice}.label`)}
              description={t(`payout.mark.${choice}.description`)}
            />
          ))}
        </RadioGroup>
        <NoteField
          id="payout-mark-note"
          label={t("payout.mark.note")}
          placeholder={t("payout.mark.notePlaceholder")}
          value={note}
          onChange={setNote}
        />
        <Refused refusal={refusal} />
      </RouteDrawer.Body>
    </ActionForm>
  )
}
