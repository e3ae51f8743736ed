import { useRouteModal } from "@medusajs/dashboard/components"
import { Alert, Checkbox, Label, RadioGroup, toast } from "@medusajs/ui"

import { type ComponentType, useState } from "react"
import { useParams } from "react-router-dom"

import type { Payout, PayoutAction } from "../../lib/answers"
import { CARD_DIGITS } from "../../lib/payouts/card-number"
import {
  approvePayout,
  markPayout,
  sendPayout,
  useMayDo,
  usePayoutAction,
} from "../../lib/payouts/actions"
import { usePayoutWords } from "../../lib/payouts/words"
import { Subtle } from "../cards"
import { ChoiceBox, ActionDrawer, ActionForm, NoteField } from "../forms"
import { CardNumberField } from "./card-number-field"
import { usePayout } from "./payout"
import { usePayoutSettings } from "./payout-gate"
import { Refused } from "./refused"

interface Shown {
  payout: Payout
}

interface PayoutDrawerProps {
  action: PayoutAction
  Form: ComponentType<Shown>
}

/** The drawer of an action on the payout in the address. */
const PayoutDrawer = (drawer: PayoutDrawerProps) => {
  const { data } = usePayout(useParams().id ?? "")
  return data ? <Content payout={data.payout} {...drawer} /> : null
}

const Content = ({ payout, action, Form }: PayoutDrawerProps & Shown) => (
  <ActionDrawer isPossible={useMayDo(payout)(action)}>
    <Form payout={payout} />
  </ActionDrawer>
)

export const ApproveTyped = () => <PayoutDrawer action="approve" Form={ApproveForm} />
export const MarkPayout = () => <PayoutDrawer action="mark" Form={MarkForm} />
export const SendAgain = () => <PayoutDrawer action="send_again" Form={SendAgainForm} />

/** Approves a payout to a typed card: who approves it types the number, too, so that two people know where the money goes. */
const ApproveForm = ({ payout }: Shown) => {
  const { handleSuccess } = useRouteModal()
  const { t, rubles, toCard } = usePayoutWords()
  const { run, isBusy, refusal } = usePayoutAction()
  const [number, setNumber] = useState("")
  // The approval is for the payout that was seen when the drawer opened.
  const [revision] = useState(payout.revision)
  const approve = async () => {
    const done = await run(() => approvePayout(payout.id, { revision, card_number: number }))
    if (typeof done === "string") return
    setNumber("")
    toast.success(t("payout.approve.done"))
    handleSuccess()
  }
  return (
    <ActionForm
      isMoney
      title={t("payout.approve.title", { sum: rubles(payout.amount), card: toCard(payout) })}
      description={t("payout.approve.whatHappensTyped")}
      label={t("payout.actions.approve")}
      isBusy={isBusy}
      isPossible={number.length === CARD_DIGITS}
      doIt={() => void approve()}
    >
      <CardNumberField digits={number} onChange={setNumber} />
      <Refused refusal={refusal} />
    </ActionForm>
  )
}

const CHOICES = ["sent", "not_sent"] as const

/** Records the outcome of an unknown payout, as shown in the service's account area. */
const MarkForm = ({ payout }: Shown) => {
  const { handleSuccess } = useRouteModal()
  const { t } = usePayoutWords()
  const { run, isBusy, refusal } = usePayoutAction()
  const { data: settings } = usePayoutSettings()
  const [chosen, setChosen] = useState("")
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
      title={t("payout.actions.mark")}
      description={t(
        settings?.approval ? "payout.mark.whatHappensByTwo" : "payout.mark.whatHappens"
      )}
      label={t("payout.mark.action")}
      isBusy={isBusy}
      isPossible={chosen !== "" && note.trim() !== ""}
      doIt={() => void mark()}
    >
      <RadioGroup value={chosen} onValueChange={setChosen} aria-label={t("payout.actions.mark")}>
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
    </ActionForm>
  )
}

/** Repeats the same request, after somebody has looked in the service's account area. */
const SendAgainForm = ({ payout }: Shown) => {
  const { handleSuccess } = useRouteModal()
  const { t, rubles, card } = usePayoutWords()
  const { run, isBusy, refusal } = usePayoutAction()
  const [hasLooked, setHasLooked] = useState(false)
  const [number, setNumber] = useState("")
  const { id, revision, needs_card_number: needsNumber } = payout
  const send = async () => {
    const typed = needsNumber ? { card_number: number } : {}
    const done = await run(() => sendPayout(id, { again: true, revision, ...typed }))
    if (done === "refused") return
    setNumber("")
    handleSuccess()
  }
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
      doIt={() => void send()}
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
      <Refused refusal={refusal} />
    </ActionForm>
  )
}
