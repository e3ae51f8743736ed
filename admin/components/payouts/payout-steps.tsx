import { Button, Container, FocusModal, Heading, Hint, Text } from "@medusajs/ui"
import { type ReactNode, useEffect, useState } from "react"
import type { FieldValues } from "react-hook-form"
import { Navigate } from "react-router-dom"
import { z } from "zod"

import { useAddress } from "../../lib/address"
import type { Payout, PayoutAction, PayoutSettings } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { actOn, usePayoutAction } from "../../lib/payouts/actions"
import { payoutParts, wholeRubles } from "../../lib/payouts/amounts"
import { grouped, isWhole } from "../../lib/payouts/card-number"
import { entryOf, useRead } from "../../lib/sdk"
import { Fields, NotDone, NotRead, Subtle } from "../cards"
import {
  CheckedForm,
  type CheckedFormProps,
  Choice,
  Field,
  NoteField,
  TextField,
  useChecked,
} from "../forms"
import { Action, LinkTo } from "../link-to"
import { CardNumberField, CardPicker, TYPED } from "./card-fields"
import { ProblemLink, WHILE_SENT } from "./payout"

/**
 * The steps of a payout: a form, empty or filled in from the address, and once there is a draft, its confirmation or a change of it.
 * A payout that is no draft any more has a page of its own.
 */
export const PayoutDraft = ({ settings }: { settings: PayoutSettings }) => {
  const [params, change] = useAddress()
  const { run, isBusy, refusal } = usePayoutAction()
  // A typed number exists only here, and disappears with the modal.
  const [number, setNumber] = useState("")
  const [isOver, setIsOver] = useState(false)
  const id = params.get("draft")
  const path = entryOf("payouts", id ?? "")
  const answer = useRead(path, {}, { ...WHILE_SENT, enabled: id !== null })
  const { data } = answer
  if (id !== null && !data) return <NotRead shape="rows" answer={answer} />
  const payout = data?.payout ?? null
  const may = (action: PayoutAction) =>
    settings.may.create && payout !== null && payout.actions.includes(action)
  const isFilledIn = payout === null || (params.get("step") === "edit" && may("edit"))
  // During sending, the answer decides the next page.
  if (isOver || (!isBusy && !isFilledIn && !may("send"))) {
    return <Navigate to={`/payment-service/payouts/${id ?? ""}`} replace />
  }

  const given = {
    account: params.get("from_account") ?? "",
    amount: params.get("amount") ?? "",
    orderId: params.get("order_id"),
    problemId: payout ? payout.problem_id : params.get("problem_id"),
  }
  const save = async ({ account, ...body }: PayoutInput) => {
    // With approval, the number of a typed card belongs to the draft; else it is typed for the sending alone.
    const isOfDraft = body.card_id === null && settings.approval && number
    const typed = isOfDraft ? { card_number: number } : {}
    const [order_id, problem_id] = [given.orderId ?? undefined, given.problemId ?? undefined]
    const whose = payout ? { revision: payout.revision } : { account, order_id, problem_id }
    const meant = { ...body, id, last4: isOfDraft ? number.slice(-4) : null }
    const done = await run(() => actOn(id, "", { ...body, ...typed, ...whose }), meant)
    if (typeof done === "string") return
    change({ draft: done.payout.id, step: undefined }, { replace: true })
  }
  const step = { number, onNumber: setNumber, isBusy, refusal }
  if (isFilledIn) {
    return <PayoutForm {...step} {...{ settings, payout, given }} onSubmit={save} />
  }

  const { amount, revision, needs_card_number: isTyped } = payout
  const send = async () => {
    const typed = isTyped ? { card_number: number } : {}
    // For a saved card, the admin was asked when they chose it.
    const meant = { id, amount, card_id: null, last4: isTyped ? number.slice(-4) : null }
    const done = await run(() => actOn(id, "/send", { revision, ...typed }), meant)
    // A refused payout may be sent later; any other result is on the payout's page.
    if (done === "refused") return
    setNumber("")
    setIsOver(true)
  }
  return (
    <ConfirmPayout
      {...step}
      key={revision}
      {...{ payout, settings }}
      onBack={may("edit") ? () => change({ step: "edit" }, { replace: true }) : null}
      onSend={send}
    />
  )
}

interface PayoutInput {
  account: string
  card_id: string | null
  amount: number
  note: string | null
}

interface PayoutFormProps {
  settings: PayoutSettings
  payout: Payout | null
  /** From an order or a problem; the amount may have kopecks. */
  given: { account: string; amount: string; orderId: string | null; problemId: string | null }
  number: string
  onNumber: (digits: string) => void
  onSubmit: (input: PayoutInput) => Promise<void>
  isBusy: boolean
  refusal: string | null
}

/** The first step: recipient, amount and purpose. It sends nothing. */
const PayoutForm = ({ settings, payout, given, number, ...step }: PayoutFormProps) => {
  const { t, money, rubles } = useFormat()
  const { limits, smallest, largest, approval } = settings
  const most = Math.min(limits.per_payout, largest)
  const accounts = settings.accounts.filter(({ has_signing_secret }) => has_signing_secret)
  const split = payout ? null : payoutParts(given.amount, smallest, most)
  const [count, whole] = [split?.parts.length ?? -1, money(given.amount, "RUB")]
  const preferred =
    accounts.length === 1 ? accounts[0] : accounts.find((one) => one.account === given.account)
  const range = t("payout.new.range", { least: rubles(smallest), most: rubles(most) })
  const isSum = z
    .number(t("payout.new.wholeRubles", { range }))
    .min(smallest, range)
    .max(most, range)
  const schema = z.object({
    account: z.string().min(1, t("payout.new.chooseAccount")),
    card_id: z
      .string()
      .min(1, t("payout.new.chooseCard"))
      .transform((chosen) => (chosen === TYPED ? null : chosen)),
    amount: z.string().transform(wholeRubles).pipe(isSum),
    note: z
      .string()
      .trim()
      .transform((note) => note || null),
  })
  const form = useChecked(schema, {
    account: payout?.account ?? preferred?.account ?? "",
    // Saved cards are the shop's own, so a customer's card is typed.
    card_id: payout ? (payout.card_id ?? TYPED) : given.problemId ? TYPED : "",
    amount: String(payout?.amount ?? split?.parts[0] ?? ""),
    note: payout?.note ?? "",
  })
  const [account, card] = form.watch(["account", "card_id"])
  // A draft has its number's digest already, and keeps it if nobody types another one.
  const isKept = approval && payout?.card_masked && payout.card_id === null && number === ""

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
      form={form}
      isWrong={card === TYPED && !isKept && !isWhole(number)}
      onSubmit={step.onSubmit}
      isBusy={step.isBusy}
      buttons={
        <>
          <FocusModal.Close asChild>
            <Action type="button">{t("actions.cancel")}</Action>
          </FocusModal.Close>
          <Button size="small" type="submit" isLoading={step.isBusy}>
            {t("payout.new.continue")}
          </Button>
        </>
      }
    >
      {accounts.length > 1 && (
        <Field name="account" label={t("fields.account")}>
          {({ value, onChange }) => (
            <Choice
              placeholder={t("payout.new.chooseAccount")}
              value={value}
              options={accounts.map(({ account: id }) => id)}
              // The account of a payout never changes, because the draft's key is for that account.
              disabled={payout !== null}
              onChoose={(chosen) => {
                onChange(chosen)
                form.resetField("card_id", { defaultValue: "" })
              }}
            />
          )}
        </Field>
      )}
      {account && (
        <div className="flex flex-col gap-y-4">
          <CardPicker
            account={account}
            typedHint={t(approval ? "payout.card.bothType" : "payout.card.typeHere")}
          />
          {card === TYPED && (
            <CardNumberField
              digits={number}
              onChange={step.onNumber}
              isTried={form.formState.isSubmitted && !isKept}
            />
          )}
        </div>
      )}
      <div className="flex flex-col gap-y-2">
        <TextField name="amount" inputMode="numeric" label={t("payout.new.amount")} hint={range} />
        {/* A given sum is split into payouts within the limit, and a rest without a payout. */}
        {count === 0 && <Hint>{t("payout.new.tooLittle", { sum: whole })}</Hint>}
        {count > 1 && <Hint>{t("payout.new.severalParts", { sum: whole, count })}</Hint>}
        {count > 0 && split?.rest && (
          <Hint>{t("payout.new.rest", { rest: money(split.rest, "RUB") })}</Hint>
        )}
      </div>
      <NoteField
        aside={t("optional")}
        label={t("payout.fields.note")}
        placeholder={t("payout.new.notePlaceholder")}
      />
      <NotDone error={step.refusal} />
    </Step>
  )
}

type StepProps<Typed extends FieldValues, Meant> = CheckedFormProps<Typed, Meant> &
  Record<"title" | "note", string> &
  Partial<Record<"about" | "buttons", ReactNode>>

function Step<Typed extends FieldValues, Meant>(step: StepProps<Typed, Meant>) {
  return (
    <CheckedForm isMoney {...step}>
      <FocusModal.Body className="flex flex-1 flex-col items-center overflow-y-auto py-8 sm:py-16">
        <div className="flex w-full max-w-[720px] flex-col gap-y-8 px-6">
          <div className="flex flex-col gap-y-1">
            <Heading>{step.title}</Heading>
            <Subtle>{step.note}</Subtle>
            {step.about}
          </div>
          {step.children}
        </div>
      </FocusModal.Body>
      <FocusModal.Footer>{step.buttons}</FocusModal.Footer>
    </CheckedForm>
  )
}

/** A reader needs as long at least to see what the step says. */
const NEW_MS = 1_000

interface ConfirmPayoutProps extends Omit<PayoutFormProps, "given" | "onSubmit"> {
  payout: Payout
  /** Null for readers who may not change it. */
  onBack: (() => void) | null
  onSend: () => Promise<void>
}

/** The second step repeats the card, the sum, the maker and the sender, before the payout is sent. */
const ConfirmPayout = ({ payout, settings, number, isBusy, ...step }: ConfirmPayoutProps) => {
  const { t, rubles, card } = useFormat()
  // After a reload, or for another admin, the number must be typed here.
  const [isTypedHere] = useState(payout.needs_card_number && !isWhole(number))
  const form = useChecked(z.object({}), {})
  // Its button stands where the one of the step before stood: a second click there must not send the payout.
  const [isNew, setIsNew] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsNew(false), NEW_MS)
    return () => clearTimeout(timer)
  }, [])
  const isRepeated = payout.needs_card_number && !isTypedHere
  const { order_id: orderId, order_display_id: orderNumber } = payout
  return (
    <Step
      title={t("payout.confirm.title")}
      note={t("payout.confirm.whatHappens")}
      form={form}
      isWrong={payout.needs_card_number && !isWhole(number)}
      onSubmit={step.onSend}
      isBusy={isBusy}
      buttons={
        <>
          {step.onBack && (
            <Action type="button" onClick={step.onBack} disabled={isBusy}>
              {t("payout.confirm.back")}
            </Action>
          )}
          <Button size="small" type="submit" isLoading={isBusy} disabled={isNew}>
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
            "payout.fields.sent_by": settings.me?.name,
            "fields.account": settings.accounts.length > 1 && payout.account,
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
          isTried={form.formState.isSubmitted}
        />
      )}
      {isBusy && <Subtle role="status">{t("payout.confirm.sending")}</Subtle>}
      <NotDone error={step.refusal} />
    </Step>
  )
}
