import { Form } from "@medusajs/dashboard/components"
import { Alert, Checkbox, Container, Heading, Text, toast } from "@medusajs/ui"
import { useState } from "react"
import { z } from "zod"

import {
  Card,
  CardsPage,
  named,
  NotDone,
  NotRead,
  Subtle,
  Timeline,
} from "../../../../components/cards"
import {
  ActionForm,
  ChoiceBoxes,
  NoteField,
  useChecked,
  useDrawer,
} from "../../../../components/forms"
import { Action, ActionLink, Id, LinkTo, OrderLink } from "../../../../components/link-to"
import { CardNumberField } from "../../../../components/payouts/card-fields"
import { PayoutStateBadge, ProblemLink, WHILE_SENT } from "../../../../components/payouts/payout"
import { usePayoutSettings } from "../../../../components/payouts/payout-gate"
import { newPayoutAt } from "../../../../lib/address"
import type { Payout, PayoutAction, PayoutEntry, PayoutState, Reads } from "../../../../lib/answers"
import { dotted, formatForTitle, useFormat } from "../../../../lib/format"
import { actOn, discardPayout, usePayoutAction } from "../../../../lib/payouts/actions"
import { isWhole } from "../../../../lib/payouts/card-number"
import { loading, useConfirm, useEntry, useMay } from "../../../../lib/sdk"

interface Shown {
  payout: Payout
}

const PayoutPage = () => {
  const { t } = useFormat()
  const sentence = useSentence()
  const answer = useEntry("payouts", WHILE_SENT)
  const { data, error } = answer
  if (!data) return <NotRead answer={answer} />
  const { payout, journal } = data
  const { order_id, order_display_id, problem_id, transaction_row_id: rowId } = payout
  const byWhom = ({ by, address, forwarded_address: forwarded }: PayoutEntry) => [
    by?.name,
    address,
    forwarded && t("payout.journal.forwarded", { address: forwarded }),
  ]
  return (
    <CardsPage
      zone="payment_service_payout.details"
      list="payouts"
      data={payout}
      main={{
        PayoutVerdict: <PayoutVerdict payout={payout} isOld={error !== null} />,
        PayoutDetails: <PayoutDetails payout={payout} />,
      }}
      side={{
        PayoutLinks: (order_id ?? problem_id ?? rowId) && (
          <Card
            title={t("links.title")}
            of={{
              "fields.order": order_id && <OrderLink id={order_id} number={order_display_id} />,
              "fields.problem": problem_id && <ProblemLink id={problem_id} />,
              "fields.transaction_id": rowId && (
                <LinkTo to={`/payment-service/transactions/${rowId}`}>
                  {t("places.transaction")}
                </LinkTo>
              ),
            }}
          />
        ),
        PayoutHistory: (
          <Timeline
            entries={journal.map((entry) => ({
              at: entry.at,
              sentence: sentence(entry),
              note: textIn(entry.facts.note),
              by: byWhom(entry).filter(Boolean).join(" · ") || null,
            }))}
          />
        ),
      }}
    />
  )
}

/** @param isOld whether the last read failed, so that the state may have changed */
const PayoutVerdict = ({ payout, isOld }: Shown & { isOld: boolean }) => {
  const { t, rubles, toCard, text } = useFormat()
  const { state, reason } = payout
  const verdict = state === "draft" && payout.needs_card_number ? "draft_typed" : state
  return (
    <Container className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex flex-wrap items-center gap-3">
        <Heading>{rubles(payout.amount)}</Heading>
        <PayoutStateBadge payout={payout} />
        <Subtle>{t("payout.card.toCard", { card: toCard(payout) })}</Subtle>
      </div>
      {isOld && <Alert variant="warning">{t("payout.notReadAgain")}</Alert>}
      <div role="status" className="flex max-w-prose flex-col gap-y-2">
        <Text>{t(`payout.verdicts.${verdict}`, { defaultValue: "" })}</Text>
        {reason && <Text>{text(reason)}</Text>}
      </div>
      <PayoutActions payout={payout} />
    </Container>
  )
}

/** The reader's possible actions on a payout, each of which says what will happen before it is done. */
const PayoutActions = ({ payout }: Shown) => {
  const { t, rubles, toCard } = useFormat()
  const { run, isBusy, refusal } = usePayoutAction()
  const confirm = useConfirm()
  const mayMake = useMay("create", "payment_service_payout")
  const mayApprove = useMay("approve", "payment_service_payout")
  const { open, drawer } = useDrawer<keyof typeof FORMS>((action, close) => {
    const Form = FORMS[action]
    return <Form payout={payout} close={close} />
  })
  const label = (action: PayoutAction) => t(`payout.actions.${action}`)

  const what = { sum: rubles(payout.amount), card: toCard(payout) }
  const doOnceMeant = async (
    action: "approve" | "discard",
    act: () => ReturnType<typeof discardPayout>
  ) => {
    const isMeant = await confirm({
      title: t(`payout.${action}.title`, what),
      description: t(`payout.${action}.whatHappens`, what),
      label: label(action),
      isDangerous: action === "discard",
    })
    const done = isMeant && (await run(act))
    if (typeof done === "object") toast.success(t(`payout.${action}.done`))
  }
  const approve = () =>
    payout.recipient === "typed_number"
      ? open("approve")
      : void doOnceMeant("approve", () =>
          actOn(payout.id, "/approve", { revision: payout.revision })
        )

  const draft = `/payment-service/payouts/new?draft=${payout.id}`
  const button = (action: PayoutAction, to: string | (() => void), isMain = false) => {
    const isAllowed = ["approve", "mark"].includes(action) ? mayApprove : mayMake
    if (!isAllowed || !payout.actions.includes(action)) return null
    const variant = isMain ? "primary" : "secondary"
    return typeof to === "string" ? (
      <ActionLink key={action} to={to} variant={variant}>
        {label(action)}
      </ActionLink>
    ) : (
      <Action key={action} onClick={to} variant={variant} disabled={isBusy}>
        {label(action)}
      </Action>
    )
  }
  const buttons = [
    button("send", draft, true),
    button("approve", approve, true),
    button("send_again", () => open("send_again")),
    button("mark", () => open("mark")),
    button("edit", `${draft}&step=edit`),
    <NextStep key="next" payout={payout} />,
    button("discard", () => void doOnceMeant("discard", () => discardPayout(payout.id))),
  ].filter(Boolean)
  return (
    <>
      <NotDone error={refusal} />
      {buttons.length > 0 && <div className="flex flex-wrap gap-2">{buttons}</div>}
      {drawer}
    </>
  )
}

const WENT: PayoutState[] = ["created", "marked_sent"]
const DID_NOT_GO: PayoutState[] = ["rejected", "marked_not_sent", "discarded"]

/** The next step after the outcome of a payout: its problem or order, or another payout. */
const NextStep = ({ payout }: Shown) => {
  const { t } = useFormat()
  const mayMake = useMay("create", "payment_service_payout")
  const { state, problem_id: problemId, order_id: orderId, account } = payout
  if (DID_NOT_GO.includes(state)) {
    const again = newPayoutAt({ problemId, orderId, amount: String(payout.amount), account })
    return mayMake && <ActionLink to={again}>{t("payout.next.again")}</ActionLink>
  }
  if (!WENT.includes(state)) return null
  if (problemId !== null) {
    return (
      <ActionLink to={`/payment-service/problems/${problemId}`}>
        {t("payout.next.problem")}
      </ActionLink>
    )
  }
  if (orderId !== null) {
    return <ActionLink to={`/orders/${orderId}`}>{t("payout.next.order")}</ActionLink>
  }
  return (
    mayMake && <ActionLink to="/payment-service/payouts/new">{t("payout.new.action")}</ActionLink>
  )
}

const PayoutDetails = ({ payout }: Shown) => {
  const { t, rubles, usdt, card, moment } = useFormat()
  const by = (at: string | null, person: { name: string } | null) =>
    at === null ? null : [moment(at), person?.name].filter(Boolean).join(" · ")
  const { withdrawal_record_id: recordId, idempotency_key: key, answered_at } = payout
  // For an unknown payout, this is not the time of an answer.
  const answeredAt = payout.state === "unknown" ? null : answered_at
  return (
    <Card
      title={t("details.title")}
      of={{
        "fields.amount": rubles(payout.amount),
        "payout.fields.debited": payout.amount_usdt && usdt(payout.amount_usdt),
        "payout.fields.card": card(payout),
        "payout.fields.card_label": payout.card_label,
        "payout.fields.note": payout.note,
        "payout.fields.made": by(payout.created_at, payout.made_by),
        "payout.fields.approved": by(payout.approved_at, payout.approved_by),
        "payout.fields.sent": by(payout.sent_at, payout.sent_by),
        "payout.fields.answered_at": answeredAt && moment(answeredAt),
        "payout.fields.marked": by(payout.marked_at, payout.marked_by),
        "payout.fields.mark_note": payout.marked_at && payout.mark_note,
        "payout.fields.withdrawal_record_id": recordId && <Id value={recordId} />,
        "payout.fields.idempotency_key": key && <Id value={key} />,
        "fields.reference": <Id value={payout.id} />,
        "fields.account": payout.account,
        "fields.merchant": <Id value={payout.merchant_id} />,
      }}
    />
  )
}

const textIn = (value: unknown) => (typeof value === "string" ? value : null)

/** An entry of the journal as text; kinds and facts are in `payouts/rules/payout.ts`. */
function useSentence() {
  const { t, word, rubles } = useFormat()
  return ({ kind, facts }: PayoutEntry): string => {
    const isAnswer = kind === "answered" && facts.state !== "unknown"
    const variants: Partial<Record<string, string | false>> = {
      sending: facts.attempt !== 1 && "sendingAgain",
      answered: isAnswer ? Boolean(facts.late) && "answeredLate" : "noAnswer",
      marked: facts.sent ? "markedSent" : "markedNotSent",
    }
    const said = t(`payout.journal.${variants[kind] || kind}`, {
      defaultValue: kind,
      sum: typeof facts.amount === "number" ? rubles(facts.amount) : "–",
      card: typeof facts.card === "string" ? dotted(facts.card) : t("payout.card.withoutDigits"),
      attempt: facts.attempt,
      state: word("payout.states", textIn(facts.state)),
    })
    const status = facts.http_status
    return isAnswer && typeof status === "number" ? `${said} (HTTP ${status})` : said
  }
}

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
  return { doIt, state: { isBusy, error: refusal } }
}

/** Approves a payout to a typed card: who approves it types the number, too, so that two people know where the money goes. */
const ApproveForm = ({ payout, close }: FormProps) => {
  const { t, rubles, toCard } = useFormat()
  const { doIt, state } = useDrawerAction(close, "payout.approve.done")
  const [number, setNumber] = useState("")
  // The approval is for the payout that was seen when the drawer opened.
  const form = useChecked(z.object({ revision: z.number() }), { revision: payout.revision })
  return (
    <ActionForm
      isMoney
      title={t("payout.approve.title", { sum: rubles(payout.amount), card: toCard(payout) })}
      description={t("payout.approve.whatHappensTyped")}
      label={t("payout.actions.approve")}
      form={form}
      {...state}
      isWrong={!isWhole(number)}
      onSubmit={(seen) =>
        doIt(() => actOn(payout.id, "/approve", { ...seen, card_number: number }))
      }
    >
      <CardNumberField digits={number} onChange={setNumber} isTried={form.formState.isSubmitted} />
    </ActionForm>
  )
}

/** Records the outcome of an unknown payout, as shown in the service's account area. */
const MarkForm = ({ payout, close }: FormProps) => {
  const { t } = useFormat()
  const { doIt, state } = useDrawerAction(close, "payout.mark.done")
  const { data: settings } = usePayoutSettings()
  const found = z.object({
    outcome: z.string().min(1, t("required")),
    note: z.string().trim().min(1, t("required")),
    // The admin judges the requests made until the drawer opened, however often the page reads the payout after that.
    attempts: z.number(),
  })
  const mark = ({ outcome, ...seen }: z.infer<typeof found>) =>
    doIt(() => actOn(payout.id, "/mark", { ...seen, sent: outcome === "sent" }))
  return (
    <ActionForm
      title={t("payout.actions.mark")}
      description={t(
        settings?.approval ? "payout.mark.whatHappensByTwo" : "payout.mark.whatHappens"
      )}
      label={t("payout.mark.action")}
      form={useChecked(found, { outcome: "", note: "", attempts: payout.attempts })}
      {...state}
      onSubmit={mark}
    >
      <ChoiceBoxes
        name="outcome"
        label={t("fields.state")}
        options={["sent", "not_sent"].map((value) => ({
          value,
          label: t(`payout.mark.${value}.label`),
          description: t(`payout.mark.${value}.description`),
        }))}
      />
      <NoteField label={t("payout.mark.note")} placeholder={t("payout.mark.notePlaceholder")} />
    </ActionForm>
  )
}

/** Repeats the same request, after somebody has looked in the service's account area. */
const SendAgainForm = ({ payout, close }: FormProps) => {
  const { t, rubles, card } = useFormat()
  const { doIt, state } = useDrawerAction(close)
  const [number, setNumber] = useState("")
  const schema = z.object({ hasLooked: z.boolean().refine(Boolean, t("required")) })
  const form = useChecked(schema, { hasLooked: false })
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
      form={form}
      {...state}
      isWrong={needsNumber && !isWhole(number)}
      onSubmit={() => doIt(() => actOn(id, "/send", { again: true, revision, ...typed }))}
    >
      <Alert variant="warning">{t("payout.again.lookFirst")}</Alert>
      {needsNumber && (
        <div className="flex flex-col gap-y-2">
          <CardNumberField
            digits={number}
            onChange={setNumber}
            isTried={form.formState.isSubmitted}
          />
          <Subtle>{t("payout.again.sameNumber")}</Subtle>
        </div>
      )}
      <Form.Field
        name="hasLooked"
        render={({ field: { value, onChange, ...field } }) => (
          <Form.Item>
            <div className="flex items-start gap-x-2">
              <Form.Control>
                <Checkbox {...field} checked={value === true} onCheckedChange={onChange} />
              </Form.Control>
              <Form.Label>{t("payout.again.looked")}</Form.Label>
            </div>
            <Form.ErrorMessage role="alert" />
          </Form.Item>
        )}
      />
    </ActionForm>
  )
}

/** The forms of actions that need more than a confirmation. */
const FORMS = { approve: ApproveForm, mark: MarkForm, send_again: SendAgainForm }

export const loader = loading("payouts")

export const handle = named<Reads[`payouts/${string}`]>(({ payout }) => {
  const { rubles, card } = formatForTitle()
  return `${rubles(payout.amount)} → ${card(payout)}`
})

export default PayoutPage
