import { Text } from "@medusajs/ui"
import { useState } from "react"
import { Navigate } from "react-router-dom"

import { useAddress } from "../../lib/address"
import type { Payout, PayoutSettings } from "../../lib/answers"
import { editPayout, makePayout, sendPayout, usePayoutAction } from "../../lib/payouts/actions"
import { useFormat } from "../../lib/format"
import { ConfirmPayout } from "./confirm-payout"
import { usePayout } from "./payout"
import { PayoutForm, type PayoutInput } from "./payout-form"

/** The steps of a payout. Until a draft exists, the form is empty or filled in from the address. */
export const PayoutDraft = ({ settings }: { settings: PayoutSettings }) => {
  const [params, change] = useAddress()
  const { run, isBusy, refusal } = usePayoutAction()
  // A typed number exists only here, and disappears with the modal.
  const [number, setNumber] = useState("")
  const draft = params.get("draft")
  const problemId = params.get("problem_id")

  const make = async ({ account, order_id, ...body }: PayoutInput) => {
    const typed = numberOf(body, settings, number)
    const done = await run(
      () =>
        makePayout({
          ...body,
          ...typed,
          account,
          ...(order_id ? { order_id } : {}),
          ...(problemId ? { problem_id: problemId } : {}),
        }),
      { ...body, id: null, last4: lastFourOf(typed) }
    )
    if (typeof done === "string") return
    change({ draft: done.payout.id }, { replace: true })
  }

  const steps = { settings, number, onNumber: setNumber }
  if (draft) return <Draft key={draft} id={draft} {...steps} />
  return (
    <PayoutForm
      {...steps}
      payout={null}
      given={{
        account: params.get("from_account") ?? "",
        amount: params.get("amount") ?? "",
        orderId: params.get("order_id") ?? "",
        problemId,
      }}
      onSubmit={(input) => void make(input)}
      isBusy={isBusy}
      refusal={refusal}
    />
  )
}

/** With approval, the number of a typed card belongs to the draft; else it is typed for the sending alone. */
const numberOf = (
  { card_id }: Pick<PayoutInput, "card_id">,
  { approval }: PayoutSettings,
  number: string
) => (card_id === null && approval && number ? { card_number: number } : {})

const lastFourOf = ({ card_number }: { card_number?: string }) => card_number?.slice(-4) ?? null

interface DraftProps {
  id: string
  settings: PayoutSettings
  number: string
  onNumber: (digits: string) => void
}

/** An existing draft: it can be changed, or confirmed and sent. A payout that is no draft any more has a page of its own. */
const Draft = ({ id, settings, number, onNumber }: DraftProps) => {
  const { t, reasonOf } = useFormat()
  const [params, change] = useAddress()
  const { data, error } = usePayout(id)
  const { run, isBusy, refusal } = usePayoutAction()
  const [isOver, setIsOver] = useState(false)
  const isEditing = params.get("step") === "edit"
  const setEditing = (isOn: boolean) =>
    change({ step: isOn ? "edit" : undefined }, { replace: true })

  if (!data && error) {
    return (
      <Text className="text-ui-fg-error p-6" role="alert">
        {t("payout.draftGone", { reason: reasonOf(error) })}
      </Text>
    )
  }
  if (!data) return null
  const { payout } = data
  const mayEdit = payout.actions.includes("edit") && settings.may.create
  const isEdited = isEditing && mayEdit
  const maySend = payout.actions.includes("send") && settings.may.create
  // During sending, the answer decides the next page.
  if (isOver || (!isBusy && !isEdited && !maySend)) {
    return <Navigate to={`/payment-service/payouts/${id}`} replace />
  }

  const edit = async (
    { card_id, amount, note }: PayoutInput,
    { id: payoutId, revision }: Payout
  ) => {
    const typed = numberOf({ card_id }, settings, number)
    const body = { card_id, amount, note, revision, ...typed }
    const meant = { card_id, amount, id: payoutId, last4: lastFourOf(typed) }
    const done = await run(() => editPayout(payoutId, body), meant)
    if (typeof done !== "string") setEditing(false)
  }
  const send = async () => {
    const { amount, revision } = payout
    const typed = payout.needs_card_number ? { card_number: number } : {}
    // For a saved card, the admin was asked when they chose it.
    const meant = { id, amount, card_id: null, last4: lastFourOf(typed) }
    const done = await run(() => sendPayout(id, { revision, ...typed }), meant)
    // A refused payout may be sent later; any other result is on the payout's page.
    if (done === "refused") return
    onNumber("")
    setIsOver(true)
  }

  const step = { payout, number, onNumber, isBusy, refusal }
  return isEdited ? (
    <PayoutForm
      {...step}
      settings={settings}
      given={{ account: "", amount: "", orderId: "", problemId: payout.problem_id }}
      onSubmit={(input) => void edit(input, payout)}
    />
  ) : (
    <ConfirmPayout
      {...step}
      key={payout.revision}
      hasSeveralAccounts={settings.accounts.length > 1}
      sender={settings.me?.name ?? null}
      onBack={mayEdit ? () => setEditing(true) : null}
      onSend={() => void send()}
    />
  )
}
