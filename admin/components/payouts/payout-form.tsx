import {
  Button,
  FocusModal,
  Heading,
  Hint,
  Input,
  Label,
  Select,
  Text,
  Textarea,
} from "@medusajs/ui"
import { type FormEvent, useState } from "react"

import { CARD_DIGITS } from "../../lib/card-number"
import { payoutParts } from "../../lib/payout-parts"
import { usePayoutWords } from "../../lib/payout-words"
import type { Payout, PayoutSettings } from "../../lib/api"
import { wholeRubles } from "../../lib/whole-rubles"
import { ignoreEnter } from "../action-form"
import { CardNumberField } from "./card-number-field"
import { CardPicker, TYPED } from "./card-picker"
import { OrderPicker, Optional } from "./order-picker"
import { ProblemLink } from "./problem-link"
import { Refused } from "./refused"

/** The values of the form; the number is included only if it is typed now. */
export interface PayoutInput {
  account: string
  card_id: string | null
  amount: number
  note: string | null
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

interface Errors {
  card?: string
  number?: string
  amount?: string
}

/** The first step: recipient, amount and purpose. It sends nothing. */
export const PayoutForm = ({
  settings,
  payout,
  given,
  number,
  onNumber,
  onSubmit,
  isBusy,
  refusal,
}: PayoutFormProps) => {
  const { t, rubles } = usePayoutWords()
  const { limits, smallest, largest, approval } = settings
  const most = Math.min(limits.per_payout, largest)
  const accounts = settings.accounts.filter(({ has_signing_secret }) => has_signing_secret)
  const parts = payout ? null : payoutParts(given.amount, smallest, most)
  const preferred =
    accounts.length === 1 ? accounts[0] : accounts.find((one) => one.account === given.account)
  const [account, setAccount] = useState(payout?.account ?? preferred?.account ?? "")
  const [chosen, setChosen] = useState(payout ? (payout.card_id ?? TYPED) : "")
  const [amount, setAmount] = useState(String(payout?.amount ?? parts?.parts[0] ?? ""))
  const [note, setNote] = useState(payout?.note ?? "")
  const [orderId, setOrderId] = useState(payout?.order_id ?? given.orderId)
  const [errors, setErrors] = useState<Errors>({})
  const isTypedHere = chosen === TYPED
  // A draft has its number's digest already, and keeps it if nobody types another one.
  const isNeeded = isTypedHere && !(approval && payout?.card_masked && payout.card_id === null)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const sum = wholeRubles(amount)
    const range = t("payout.new.range", { least: rubles(smallest), most: rubles(most) })
    const wrongAmount = sum === null ? t("payout.new.wholeRubles", { range }) : range
    const found: Errors = {
      ...(chosen ? {} : { card: t("payout.new.chooseCard") }),
      ...((isNeeded || number) && isTypedHere && number.length !== CARD_DIGITS
        ? { number: t("payout.number.short") }
        : {}),
      ...(sum !== null && sum >= smallest && sum <= most ? {} : { amount: wrongAmount }),
    }
    setErrors(found)
    if (sum === null || Object.keys(found).length) return
    onSubmit({
      account,
      card_id: chosen === TYPED ? null : chosen,
      amount: sum,
      note: note.trim() || null,
      order_id: orderId || null,
    })
  }

  return (
    <form
      onSubmit={submit}
      onKeyDown={ignoreEnter}
      autoComplete="off"
      className="flex flex-1 flex-col overflow-hidden"
    >
      <FocusModal.Body className="flex flex-1 flex-col items-center overflow-y-auto py-8 sm:py-16">
        <div className="flex w-full max-w-[720px] flex-col gap-y-8 px-6">
          <div className="flex flex-col gap-y-1">
            <Heading>{t(payout ? "payout.new.change" : "payout.new.title")}</Heading>
            <Text size="small" className="text-ui-fg-subtle">
              {t("payout.new.nothingSent")}
            </Text>
            {given.problemId && (
              <Text size="small">
                {t("fields.problem")}: <ProblemLink id={given.problemId} />
              </Text>
            )}
          </div>
          {accounts.length > 1 && (
            <div className="flex flex-col gap-y-2">
              <Label htmlFor="payout-account" size="small" weight="plus">
                {t("fields.account")}
              </Label>
              <Select
                value={account}
                // The account of a payout never changes, because the draft's key is for that account.
                disabled={payout !== null}
                onValueChange={(value) => {
                  setAccount(value)
                  setChosen("")
                }}
              >
                <Select.Trigger id="payout-account">
                  <Select.Value placeholder={t("payout.new.chooseAccount")} />
                </Select.Trigger>
                <Select.Content>
                  {accounts.map(({ account: id }) => (
                    <Select.Item key={id} value={id}>
                      {id}
                    </Select.Item>
                  ))}
                </Select.Content>
              </Select>
            </div>
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
                <CardNumberField digits={number} onChange={onNumber} error={errors.number} />
              )}
            </div>
          )}
          <div className="grid grid-cols-1 gap-6 sm:grid-cols-2">
            <div className="flex flex-col gap-y-2">
              <Label htmlFor="payout-amount" size="small" weight="plus">
                {t("payout.new.amount")}
              </Label>
              <Input
                id="payout-amount"
                inputMode="numeric"
                autoComplete="off"
                aria-invalid={Boolean(errors.amount)}
                aria-describedby="payout-amount-hint"
                value={amount}
                onChange={({ target }) => setAmount(target.value)}
              />
              <Hint
                id="payout-amount-hint"
                variant={errors.amount ? "error" : "info"}
                {...(errors.amount ? { role: "alert" } : {})}
              >
                {errors.amount ??
                  t("payout.new.range", { least: rubles(smallest), most: rubles(most) })}
              </Hint>
              <GivenAmount given={given.amount} parts={parts} />
            </div>
            {payout === null && <OrderPicker orderId={orderId} onChoose={setOrderId} />}
          </div>
          <div className="flex flex-col gap-y-2">
            <Label htmlFor="payout-note" size="small" weight="plus">
              {t("payout.fields.note")} <Optional />
            </Label>
            <Textarea
              id="payout-note"
              maxLength={2000}
              rows={3}
              placeholder={t("payout.new.notePlaceholder")}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          </div>
          <Refused refusal={refusal} />
        </div>
      </FocusModal.Body>
      <FocusModal.Footer>
        <FocusModal.Close asChild>
          <Button size="small" variant="secondary" type="button">
            {t("actions.cancel")}
          </Button>
        </FocusModal.Close>
        <Button size="small" type="submit" isLoading={isBusy} disabled={!account}>
          {t("payout.new.continue")}
        </Button>
      </FocusModal.Footer>
    </form>
  )
}

/** Shows how a given sum is split: payouts within the limit, and a rest without a payout. */
const GivenAmount = ({
  given,
  parts,
}: {
  given: string
  parts: ReturnType<typeof payoutParts>
}) => {
  const { t, money } = usePayoutWords()
  if (parts === null) return null
  const count = parts.parts.length
  const sum = money(given, "RUB", true)
  const lines = [
    ...(count === 0 ? [t("payout.new.tooLittle", { sum })] : []),
    ...(count > 1 ? [t("payout.new.severalParts", { sum, count })] : []),
    ...(parts.rest === null || count === 0
      ? []
      : [t("payout.new.rest", { rest: money(parts.rest, "RUB", true) })]),
  ]
  return (
    <>
      {lines.map((line) => (
        <Hint key={line}>{line}</Hint>
      ))}
    </>
  )
}
