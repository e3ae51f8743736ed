import { Alert, Button, Container, FocusModal, Heading, Text } from "@medusajs/ui"
import { type FormEvent, type MouseEvent, useEffect, useState } from "react"

import { CARD_DIGITS, grouped, hasCheckDigit } from "../../lib/card-number"
import { usePayoutWords } from "../../lib/payout-words"
import type { Payout } from "../../lib/api"
import { Rows } from "../cards"
import { ignoreEnter } from "../action-form"
import { CardNumberField } from "./card-number-field"
import { ProblemLink } from "./problem-link"
import { Refused } from "./refused"

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
export const ConfirmPayout = ({
  payout,
  hasSeveralAccounts,
  sender,
  number,
  onNumber,
  onBack,
  onSend,
  isBusy,
  refusal,
}: ConfirmPayoutProps) => {
  const { t, rubles, card } = usePayoutWords()
  const isWhole = number.length === CARD_DIGITS
  // After a reload, or for another admin, the number must be typed here.
  const [isTypedHere] = useState(payout.needs_card_number && !isWhole)
  const [isTried, setIsTried] = useState(false)
  const isNew = useIsNew()
  const send = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (!payout.needs_card_number || isWhole) onSend()
  }
  const isRepeated = payout.needs_card_number && !isTypedHere
  const rows = [
    [t("fields.amount"), rubles(payout.amount)],
    [
      t("payout.fields.card"),
      isRepeated ? <span className="font-mono">{grouped(number)}</span> : card(payout),
    ],
    [t("payout.fields.card_label"), payout.card_label],
    [t("payout.fields.made_by"), payout.made_by.name],
    [t("payout.fields.approved_by"), payout.approved_by?.name],
    [t("payout.fields.sent_by"), sender],
    [t("fields.account"), hasSeveralAccounts ? payout.account : null],
    [
      t("fields.order"),
      payout.order_display_id === null ? payout.order_id : `#${payout.order_display_id}`,
    ],
    [
      t("fields.problem"),
      // The server finds the problem of an order even if nobody named it.
      payout.problem_id && <ProblemLink key="problem" id={payout.problem_id} />,
    ],
    [t("payout.fields.note"), payout.note],
  ] as const
  return (
    <form
      onSubmit={send}
      onKeyDown={ignoreEnter}
      autoComplete="off"
      className="flex flex-1 flex-col overflow-hidden"
    >
      <FocusModal.Body className="flex flex-1 flex-col items-center overflow-y-auto py-8 sm:py-16">
        <div className="flex w-full max-w-[720px] flex-col gap-y-6 px-6">
          <div className="flex flex-col gap-y-1">
            <Heading>{t("payout.confirm.title")}</Heading>
            <Text size="small" className="text-ui-fg-subtle">
              {t("payout.confirm.whatHappens")}
            </Text>
          </div>
          <Container className="divide-y p-0">
            <Rows of={rows} />
          </Container>
          {isRepeated && !hasCheckDigit(number) && (
            <Alert variant="warning">{t("payout.number.unusual")}</Alert>
          )}
          {isTypedHere && (
            <CardNumberField
              digits={number}
              onChange={onNumber}
              error={isTried && !isWhole ? t("payout.number.short") : undefined}
            />
          )}
          {isBusy && (
            <Text size="small" role="status" className="text-ui-fg-subtle">
              {t("payout.confirm.sending")}
            </Text>
          )}
          <Refused refusal={refusal} />
        </div>
      </FocusModal.Body>
      <FocusModal.Footer>
        {onBack && (
          <Button size="small" variant="secondary" type="button" onClick={onBack} disabled={isBusy}>
            {t("payout.confirm.back")}
          </Button>
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
      </FocusModal.Footer>
    </form>
  )
}

/**
 * The button stands where the one of the step before stood, so the second click of a double click there would send the payout. The
 * browser counts the clicks, so this does not depend on how quickly the page is drawn.
 */
function ignoreSecondClick(event: MouseEvent) {
  if (event.detail > 1) event.preventDefault()
}

/** The time that a reader needs at least to see what the step says. */
const NEW_MS = 1_000

/** Whether the step has only just come into view: an impatient click on the step before must not send the payout either. */
function useIsNew(): boolean {
  const [isNew, setIsNew] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsNew(false), NEW_MS)
    return () => clearTimeout(timer)
  }, [])
  return isNew
}
