import { Container, Heading, Hint, StatusBadge, Text, toast } from "@medusajs/ui"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useNavigate } from "react-router-dom"

import { isUuid, newPayoutAt } from "../../lib/address"
import type { Problem, ProblemAnswer, ShownTransaction, TransactionAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { payoutParts } from "../../lib/payouts/amounts"
import { entryOf, post, reading, useAction, useMay } from "../../lib/sdk"
import { Ago, NotDone, Subtle } from "../cards"
import { ActionForm, ChoiceBoxes, NoteField, TextField, useDrawer } from "../forms"
import { Action } from "../link-to"
import { usePayoutSettings } from "../payouts/payout-gate"
import { asTyped, sumIn } from "../problems/problem-text"

/** Whether it was paid, in one sentence, with the time of the last read. */
export const PaymentVerdict = ({ answer }: { answer: TransactionAnswer }) => {
  const { t, sumOf, text, word } = useFormat()
  const { transaction, verdict } = answer
  const mayEnter = useMay("update")
  const { open, drawer } = useDrawer<"id">((_, close) => (
    <EnterId id={transaction.id} close={close} />
  ))
  return (
    <Container className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <Heading>{sumOf(transaction)}</Heading>
          <StandingBadge standing={transaction.standing} />
        </div>
        {transaction.standing === "unanswered" ? (
          mayEnter && <Action onClick={() => open("id")}>{t("identify.label")}</Action>
        ) : (
          <div className="flex flex-wrap gap-2">
            <Refund payment={transaction} problems={answer.problems} />
            <CheckNow id={transaction.id} isPossible={transaction.transaction_id !== null} />
          </div>
        )}
      </div>
      <Text role="status">{text(verdict.messages)}</Text>
      <Subtle>
        {word("methods", transaction.method)}
        {" · "}
        <Ago at={transaction.read_at} isAsked />
      </Subtle>
      {drawer}
    </Container>
  )
}

/** Does something at a route of a payment, which answers with the payment as it is then. */
function usePaymentAction<Input extends object = object>(
  id: string,
  segment: string,
  action: { done: (answer: TransactionAnswer) => void; failed?: string }
) {
  const client = useQueryClient()
  const path = entryOf("transactions", id)
  return useAction({
    ...action,
    run: (input: Input) => post<TransactionAnswer>(`${path}/${segment}`, input),
    done: (answer) => {
      client.setQueryData(reading(path).queryKey, answer)
      action.done(answer)
    },
  })
}

/** Takes the service's id of a payment whose creation had no reply, as the service's account area shows it. */
const EnterId = ({ id, close }: { id: string; close: () => void }) => {
  const { t, text } = useFormat()
  const identify = usePaymentAction<{ transaction_id: string }>(id, "identify", {
    failed: "identify.refused",
    done: ({ verdict: { messages } }) => {
      toast.success(t("identify.done"), { description: text(messages) })
      close()
    },
  })
  const [entered, setEntered] = useState("")
  const transaction_id = entered.trim()
  const isId = isUuid(transaction_id)
  return (
    <ActionForm
      title={t("identify.label")}
      description={t("identify.whatHappens")}
      label={t("identify.action")}
      isBusy={identify.isPending}
      isPossible={isId}
      doIt={() => identify.act({ transaction_id })}
    >
      <TextField
        id="transaction-id"
        label={t("fields.transaction_id")}
        hint={t("identify.hint")}
        isWrong={transaction_id !== "" && !isId}
        spellCheck={false}
        value={entered}
        onChange={setEntered}
      />
    </ActionForm>
  )
}

/** Has the service asked about a payment, and says what came of it. */
export const CheckNow = ({ id, isPossible }: { id: string; isPossible: boolean }) => {
  const { t, text } = useFormat()
  const mayCheck = useMay("update")
  const { act, isPending, error } = usePaymentAction(id, "settle", {
    done: ({ verdict: { messages } }) =>
      toast.success(t("verdict.checked"), { description: text(messages) }),
  })
  if (!mayCheck) return null
  return (
    <>
      <Action
        className="w-fit"
        onClick={() => act({})}
        isLoading={isPending}
        disabled={!isPossible}
      >
        {t("verdict.check")}
      </Action>
      <NotDone error={error} />
    </>
  )
}

const COLORS = {
  opening: "grey",
  not_opened: "grey",
  unanswered: "orange",
  payable: "blue",
  over: "grey",
  waiting_for_medusa: "orange",
  settled: "green",
  partly_refunded: "purple",
  refunded: "purple",
  waiting_for_person: "red",
  taken_care_of: "grey",
} as const

export const StandingBadge = ({ standing }: Pick<ShownTransaction, "standing">) => {
  const { word } = useFormat()
  return <StatusBadge color={COLORS[standing]}>{word("standings", standing)}</StatusBadge>
}

type Refundable = Pick<ShownTransaction, "id" | "order_id" | "currency"> & {
  refundable_amount: string | null
}

interface RefundProps {
  payment: Refundable
  /** The problems of its page: one that asks for a refund already says how much is due. */
  problems: Problem[]
}

/** Gives money of a payment back, whose service has no refunds: by a payout to a card, or recorded as returned already. */
export const Refund = ({ payment, problems }: RefundProps) => {
  const { t } = useFormat()
  const mayAct = useMay("update")
  const { open, drawer } = useDrawer<string>((held, close) => {
    const due = problems.find((one) => isDue(one, payment.id))?.amount ?? held
    return <RefundForm payment={payment} held={held} due={due} close={close} />
  })
  const held = payment.refundable_amount
  if (!mayAct) return null
  return (
    <>
      {held !== null && (
        <Action className="w-fit" onClick={() => open(held)}>
          {t("refund.label")}
        </Action>
      )}
      {drawer}
    </>
  )
}

const isDue = ({ kind, closed_at, transaction_row_id: of }: Problem, id: string) =>
  kind === "refund_due" && closed_at === null && of === id

type RefundFormProps = Record<"held" | "due", string> & { payment: Refundable; close: () => void }

const RefundForm = ({ payment, held, due, close }: RefundFormProps) => {
  const { t, language, money } = useFormat()
  const navigate = useNavigate()
  const mayMake = useMay("create", "payment_service_payout")
  const { data: payouts } = usePayoutSettings(mayMake)
  const [typed, setTyped] = useState(asTyped(due, language))
  const [chosen, setChosen] = useState("")
  const [note, setNote] = useState("")
  // The whole sum is sent with all of its digits.
  const sum = typed === asTyped(due, language) ? due : sumIn(typed)
  const isWrongSum = sum === null || Number(sum) <= 0 || Number(sum) > Number(held)
  const mayPayOut = mayMake && payouts?.may.create === true && payment.currency === "RUB"
  const split =
    mayPayOut && sum !== null
      ? payoutParts(asTyped(sum, "en"), payouts.smallest, payouts.limits.per_payout)
      : null
  const canPayOut = Boolean(split?.parts.length)
  const way = chosen && (chosen !== "card" || canPayOut) ? chosen : canPayOut ? "card" : "outside"

  const { act, isPending, error } = useAction({
    run: async (amount: string) => {
      const path = entryOf("transactions", payment.id)
      const { problems } = await post<TransactionAnswer>(`${path}/refund`, { amount, held })
      const problem = problems.find((one) => isDue(one, payment.id))
      if (!problem) throw new Error(t("refund.notAsked"))
      if (way === "outside") {
        const part = problem.amount === amount ? null : amount
        const said = { note, amount: problem.amount, part }
        await post<ProblemAnswer>(`problems/${problem.id}/refunded-outside`, said)
      }
      return { problem, amount }
    },
    done: ({ problem, amount }) => {
      close()
      if (way === "outside") toast.success(t("actions.refunded_outside.done"))
      else {
        const { id: problemId, pay_out: payOut } = problem
        const account = payOut?.account ?? null
        void navigate(newPayoutAt({ problemId, orderId: payment.order_id, amount, account }))
      }
    },
  })
  const toCard = {
    value: "card",
    disabled: !canPayOut,
    label: t("refund.card"),
    description: t(canPayOut ? "refund.cardText" : "payout.paidBack.tooLittle"),
  }
  const [label, description] = [t("refund.outside"), t("refund.outsideText")]
  const outside = { value: "outside", label, description }
  return (
    <ActionForm
      title={t("refund.label")}
      description={t("refund.whatHappens")}
      label={t(way === "card" ? "refund.toPayout" : "refund.record")}
      isBusy={isPending}
      isPossible={!isWrongSum && (way === "card" || note.trim() !== "")}
      doIt={() => sum !== null && act(sum)}
    >
      <TextField
        id="refund-sum"
        inputMode="decimal"
        label={t("fields.amount")}
        hint={t("refund.most", { held: money(held, payment.currency) })}
        isWrong={isWrongSum}
        value={typed}
        onChange={setTyped}
      />
      <ChoiceBoxes
        label={t("refund.way")}
        value={way}
        options={mayPayOut ? [toCard, outside] : [outside]}
        onChoose={setChosen}
      />
      {way === "card" && split?.rest && (
        <Hint>{t("payout.new.rest", { rest: money(split.rest, payment.currency) })}</Hint>
      )}
      {way === "outside" && (
        <NoteField
          id="refund-note"
          label={t("actions.note")}
          placeholder={t("actions.refunded_outside.notePlaceholder")}
          value={note}
          onChange={setNote}
        />
      )}
      <NotDone error={error} />
    </ActionForm>
  )
}
