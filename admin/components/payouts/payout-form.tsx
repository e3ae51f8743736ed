import { Button, FocusModal, Heading, Hint, Text } from "@medusajs/ui"
import { type ReactNode, useState } from "react"

import type { Payout, PayoutSettings } from "../../lib/answers"
import type { DraftBody } from "../../lib/payouts/actions"
import { payoutParts, wholeRubles } from "../../lib/payouts/amounts"
import { CARD_DIGITS } from "../../lib/payouts/card-number"
import { useFormat } from "../../lib/format"
import { NotDone, Subtle } from "../cards"
import { Choice, Field, MoneyForm, NoteField, TextField } from "../forms"
import { Action, LinkTo } from "../link-to"
import { CardNumberField } from "./card-number-field"
import { CardPicker, TYPED } from "./card-picker"
import { ProblemLink } from "./payout"

/** The values of the form; the number is included only if it is typed now. */
export interface PayoutInput extends DraftBody {
  account: string
  order_id: string | null
}

interface PayoutFormProps {
  settings: PayoutSettings
  /** The payout to change; null for a new one. */
  payout: Payout | null
  /** Values from an order or a problem; the amount may have kopecks. */
  given: { account: string; amount: string; orderId: string; problemId: string | null }
  number: string
  onNumber: (digits: string) => void
  onSubmit: (input: PayoutInput) => void
  isBusy: boolean
  refusal: string | null
}

/** The first step: recipient, amount and purpose. It sends nothing. */
export const PayoutForm = ({ settings, payout, given, number, ...form }: PayoutFormProps) => {
  const { t, rubles } = useFormat()
  const { limits, smallest, largest, approval } = settings
  const most = Math.min(limits.per_payout, largest)
  const accounts = settings.accounts.filter(({ has_signing_secret }) => has_signing_secret)
  const parts = payout ? null : payoutParts(given.amount, smallest, most)
  const preferred =
    accounts.length === 1 ? accounts[0] : accounts.find((one) => one.account === given.account)
  const [account, setAccount] = useState(payout?.account ?? preferred?.account ?? "")
  const [chosen, setChosen] = useState(
    // Saved cards are the shop's own, so a customer's card is typed.
    payout ? (payout.card_id ?? TYPED) : given.problemId ? TYPED : ""
  )
  const [amount, setAmount] = useState(String(payout?.amount ?? parts?.parts[0] ?? ""))
  const [note, setNote] = useState(payout?.note ?? "")
  const [isTried, setIsTried] = useState(false)
  const isTypedHere = chosen === TYPED
  // A draft has its number's digest already, and keeps it if nobody types another one.
  const isNeeded = isTypedHere && !(approval && payout?.card_masked && payout.card_id === null)
  const range = t("payout.new.range", { least: rubles(smallest), most: rubles(most) })

  const sum = wholeRubles(amount)
  const isWrongSum = sum === null || sum < smallest || sum > most
  const isShort = (isNeeded || number) && isTypedHere && number.length !== CARD_DIGITS
  const wrong = {
    card: chosen ? undefined : t("payout.new.chooseCard"),
    number: isShort ? t("payout.number.short") : undefined,
    amount: !isWrongSum ? undefined : sum === null ? t("payout.new.wholeRubles", { range }) : range,
  }
  // An error stands at its field from the first try on, until it is mended.
  const errors: Partial<typeof wrong> = isTried ? wrong : {}

  const submit = () => {
    setIsTried(true)
    if (isWrongSum || wrong.card || wrong.number) return
    form.onSubmit({
      account,
      card_id: chosen === TYPED ? null : chosen,
      amount: sum,
      note: note.trim() || null,
      order_id: given.orderId || null,
    })
  }

  return (
    <Step
      title={t(payout ? "payout.new.change" : "payout.new.title")}
      note={t("payout.new.nothingSent")}
      about={
        given.problemId ? (
          <Text size="small">
            {t("fields.problem")}: <ProblemLink id={given.problemId} />
          </Text>
        ) : (
          given.orderId && (
            <Text size="small">
              <LinkTo to={`/orders/${given.orderId}`}>{t("payout.next.order")}</LinkTo>
            </Text>
          )
        )
      }
      onSubmit={submit}
      buttons={
        <>
          <FocusModal.Close asChild>
            <Action type="button">{t("actions.cancel")}</Action>
          </FocusModal.Close>
          <Button size="small" type="submit" isLoading={form.isBusy} disabled={!account}>
            {t("payout.new.continue")}
          </Button>
        </>
      }
    >
      {accounts.length > 1 && (
        <Field id="payout-account" label={t("fields.account")}>
          <Choice
            id="payout-account"
            placeholder={t("payout.new.chooseAccount")}
            value={account}
            options={accounts.map(({ account: id }) => id)}
            // The account of a payout never changes, because the draft's key is for that account.
            disabled={payout !== null}
            onChoose={(value) => {
              setAccount(value)
              setChosen("")
            }}
          />
        </Field>
      )}
      {account && (
        <div className="flex flex-col gap-y-4">
          <CardPicker
            account={account}
            chosen={chosen}
            onChoose={setChosen}
            typedHint={t(approval ? "payout.card.bothType" : "payout.card.typeHere")}
          />
          {errors.card && (
            <Hint variant="error" role="alert">
              {errors.card}
            </Hint>
          )}
          {isTypedHere && (
            <CardNumberField digits={number} onChange={form.onNumber} error={errors.number} />
          )}
        </div>
      )}
      <div className="flex flex-col gap-y-2">
        <TextField
          id="payout-amount"
          inputMode="numeric"
          label={t("payout.new.amount")}
          hint={errors.amount ?? range}
          isWrong={errors.amount !== undefined}
          value={amount}
          onChange={setAmount}
        />
        <GivenAmount given={given.amount} parts={parts} />
      </div>
      <NoteField
        id="payout-note"
        isOptional
        label={t("payout.fields.note")}
        placeholder={t("payout.new.notePlaceholder")}
        value={note}
        onChange={setNote}
      />
      <NotDone error={form.refusal} />
    </Step>
  )
}

interface GivenAmountProps {
  given: string
  parts: ReturnType<typeof payoutParts>
}

/** Shows how a given sum is split: payouts within the limit, and a rest without a payout. */
const GivenAmount = ({ given, parts: split }: GivenAmountProps) => {
  const { t, money } = useFormat()
  if (split === null) return null
  const { parts, rest } = split
  const count = parts.length
  const sum = money(given, "RUB")
  return (
    <>
      {count === 0 && <Hint>{t("payout.new.tooLittle", { sum })}</Hint>}
      {count > 1 && <Hint>{t("payout.new.severalParts", { sum, count })}</Hint>}
      {count > 0 && rest !== null && (
        <Hint>{t("payout.new.rest", { rest: money(rest, "RUB") })}</Hint>
      )}
    </>
  )
}

interface StepProps {
  title: string
  note: string
  /** The facts below the note. */
  about?: ReactNode
  onSubmit: () => void
  buttons: ReactNode
  children: ReactNode
}

/** A step towards a payout, in its modal. */
export const Step = ({ title, note, about, onSubmit, buttons, children }: StepProps) => (
  <MoneyForm onSubmit={onSubmit} className="flex flex-1 flex-col overflow-hidden">
    <FocusModal.Body className="flex flex-1 flex-col items-center overflow-y-auto py-8 sm:py-16">
      <div className="flex w-full max-w-[720px] flex-col gap-y-8 px-6">
        <div className="flex flex-col gap-y-1">
          <Heading>{title}</Heading>
          <Subtle>{note}</Subtle>
          {about}
        </div>
        {children}
      </div>
    </FocusModal.Body>
    <FocusModal.Footer>{buttons}</FocusModal.Footer>
  </MoneyForm>
)
