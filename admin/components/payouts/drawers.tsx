import { Alert, Checkbox, Label, toast } from "@medusajs/ui"
import { useState } from "react"

import type { Payout } from "../../lib/answers"
import { CARD_DIGITS } from "../../lib/payouts/card-number"
import { approvePayout, markPayout, sendPayout, usePayoutAction } from "../../lib/payouts/actions"
import { useFormat } from "../../lib/format"
import { NotDone, Subtle } from "../cards"
import { ActionForm, ChoiceBoxes, NoteField } from "../forms"
import { CardNumberField } from "./card-number-field"
import { usePayoutSettings } from "./payout-gate"

interface FormProps {
  payout: Payout
  close: () => void
}

/** Does the action of a drawer, which closes when it was done, and says so. */
function useDrawerAction(close: () => void, said?: string) {
  const { t } = useFormat()
  const { run, isBusy, refusal } = usePayoutAction()
  const doIt = async (action: Parameters<typeof run>[0]) => {
    const done = await run(action)
    // A payout whose outcome nobody knows by now was sent, too.
    if (done === "refused" || (said && done === "not_known")) return
    if (said) toast.success(t(said))
    close()
  }
  return { doIt, isBusy, refusal }
}

/** Approves a payout to a typed card: who approves it types the number, too, so that two people know where the money goes. */
const ApproveForm = ({ payout, close }: FormProps) => {
  const { t, rubles, toCard } = useFormat()
  const { doIt, isBusy, refusal } = useDrawerAction(close, "payout.approve.done")
  const [number, setNumber] = useState("")
  // The approval is for the payout that was seen when the drawer opened.
  const [revision] = useState(payout.revision)
  return (
    <ActionForm
      isMoney
      title={t("payout.approve.title", { sum: rubles(payout.amount), card: toCard(payout) })}
      description={t("payout.approve.whatHappensTyped")}
      label={t("payout.actions.approve")}
      isBusy={isBusy}
      isPossible={number.length === CARD_DIGITS}
      doIt={() => void doIt(() => approvePayout(payout.id, { revision, card_number: number }))}
    >
      <CardNumberField digits={number} onChange={setNumber} />
      <NotDone error={refusal} />
    </ActionForm>
  )
}

/** Records the outcome of an unknown payout, as shown in the service's account area. */
const MarkForm = ({ payout, close }: FormProps) => {
  const { t } = useFormat()
  const { doIt, isBusy, refusal } = useDrawerAction(close, "payout.mark.done")
  const { data: settings } = usePayoutSettings()
  const [chosen, setChosen] = useState("")
  const [note, setNote] = useState("")
  // The admin judges the requests made until the drawer opened, however often the page reads the payout after that.
  const [attempts] = useState(payout.attempts)
  const mark = () => markPayout(payout.id, { sent: chosen === "sent", note, attempts })
  return (
    <ActionForm
      title={t("payout.actions.mark")}
      description={t(
        settings?.approval ? "payout.mark.whatHappensByTwo" : "payout.mark.whatHappens"
      )}
      label={t("payout.mark.action")}
      isBusy={isBusy}
      isPossible={chosen !== "" && note.trim() !== ""}
      doIt={() => void doIt(mark)}
    >
      <ChoiceBoxes
        label={t("payout.actions.mark")}
        value={chosen}
        options={["sent", "not_sent"].map((value) => ({
          value,
          label: t(`payout.mark.${value}.label`),
          description: t(`payout.mark.${value}.description`),
        }))}
        onChoose={setChosen}
      />
      <NoteField
        id="payout-mark-note"
        label={t("payout.mark.note")}
        placeholder={t("payout.mark.notePlaceholder")}
        value={note}
        onChange={setNote}
      />
      <NotDone error={refusal} />
    </ActionForm>
  )
}

/** Repeats the same request, after somebody has looked in the service's account area. */
const SendAgainForm = ({ payout, close }: FormProps) => {
  const { t, rubles, card } = useFormat()
  const { doIt, isBusy, refusal } = useDrawerAction(close)
  const [hasLooked, setHasLooked] = useState(false)
  const [number, setNumber] = useState("")
  const { id, revision, needs_card_number: needsNumber } = payout
  const typed = needsNumber ? { card_number: number } : {}
  return (
    <ActionForm
      isMoney
      title={t("payout.actions.send_again")}
      description={t("payout.again.whatHappens", {
        sum: rubles(payout.amount),
        card: card(payout),
      })}
      label={t("payout.actions.send_again")}
      isBusy={isBusy}
      isPossible={hasLooked && (!needsNumber || number.length === CARD_DIGITS)}
      doIt={() => void doIt(() => sendPayout(id, { again: true, revision, ...typed }))}
    >
      <Alert variant="warning">{t("payout.again.lookFirst")}</Alert>
      {needsNumber && (
        <div className="flex flex-col gap-y-2">
          <CardNumberField digits={number} onChange={setNumber} />
          <Subtle>{t("payout.again.sameNumber")}</Subtle>
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
      <NotDone error={refusal} />
    </ActionForm>
  )
}

/** The forms of actions that need more than a confirmation. */
export const FORMS = { approve: ApproveForm, mark: MarkForm, send_again: SendAgainForm }
