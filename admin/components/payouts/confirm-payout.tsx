import { Button, Container } from "@medusajs/ui"
import { type MouseEvent, useEffect, useState } from "react"

import type { Payout } from "../../lib/answers"
import { CARD_DIGITS, grouped } from "../../lib/payouts/card-number"
import { useFormat } from "../../lib/format"
import { Fields, NotDone, Subtle } from "../cards"
import { Action } from "../link-to"
import { CardNumberField } from "./card-number-field"
import { ProblemLink } from "./payout"
import { Step } from "./payout-form"

/** The time that a reader needs at least to see what the step says. */
const NEW_MS = 1_000

interface ConfirmPayoutProps {
  payout: Payout
  hasSeveralAccounts: boolean
  /** The name of the reader, who is the sender. */
  sender: string | null
  number: string
  onNumber: (digits: string) => void
  /** Null for readers who may not change it. */
  onBack: (() => void) | null
  onSend: () => void
  isBusy: boolean
  refusal: string | null
}

/** The second step repeats the card, the sum, the maker and the sender, before the payout is sent. */
export const ConfirmPayout = ({ payout, number, isBusy, ...step }: ConfirmPayoutProps) => {
  const { t, rubles, card } = useFormat()
  const isWhole = number.length === CARD_DIGITS
  // After a reload, or for another admin, the number must be typed here.
  const [isTypedHere] = useState(payout.needs_card_number && !isWhole)
  const [isTried, setIsTried] = useState(false)
  // An impatient click on the step before must not send the payout either.
  const [isNew, setIsNew] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsNew(false), NEW_MS)
    return () => clearTimeout(timer)
  }, [])
  const send = () => {
    setIsTried(true)
    if (!payout.needs_card_number || isWhole) step.onSend()
  }
  const isRepeated = payout.needs_card_number && !isTypedHere
  const { order_id: orderId, order_display_id: orderNumber } = payout
  return (
    <Step
      title={t("payout.confirm.title")}
      note={t("payout.confirm.whatHappens")}
      onSubmit={send}
      buttons={
        <>
          {step.onBack && (
            <Action type="button" onClick={step.onBack} disabled={isBusy}>
              {t("payout.confirm.back")}
            </Action>
          )}
          <Button
            size="small"
            type="submit"
            isLoading={isBusy}
            disabled={isNew}
            onClick={ignoreSecondClick}
          >
            {t("payout.confirm.send", { sum: rubles(payout.amount) })}
          </Button>
        </>
      }
    >
      <Container className="divide-y p-0">
        <Fields
          of={{
            "fields.amount": rubles(payout.amount),
            "payout.fields.card": isRepeated ? (
              <span className="font-mono">{grouped(number)}</span>
            ) : (
              card(payout)
            ),
            "payout.fields.card_label": payout.card_label,
            "payout.fields.made_by": payout.made_by.name,
            "payout.fields.approved_by": payout.approved_by?.name,
            "payout.fields.sent_by": step.sender,
            "fields.account": step.hasSeveralAccounts && payout.account,
            "fields.order": orderNumber === null ? orderId : `#${orderNumber}`,
            // The server finds the problem of an order even if nobody named it.
            "fields.problem": payout.problem_id && <ProblemLink id={payout.problem_id} />,
            "payout.fields.note": payout.note,
          }}
        />
      </Container>
      {isTypedHere && (
        <CardNumberField
          digits={number}
          onChange={step.onNumber}
          error={isTried && !isWhole ? t("payout.number.short") : undefined}
        />
      )}
      {isBusy && <Subtle role="status">{t("payout.confirm.sending")}</Subtle>}
      <NotDone error={step.refusal} />
    </Step>
  )
}

/**
 * The button stands where the one of the step before stood, so the second click of a double click there would send the payout. The
 * browser counts the clicks, so this does not depend on how quickly the page is drawn.
 */
function ignoreSecondClick(event: MouseEvent) {
  if (event.detail > 1) event.preventDefault()
}
