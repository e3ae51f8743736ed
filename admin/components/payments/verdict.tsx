import { Hint, StatusBadge, toast } from "@medusajs/ui"
import { useNavigate } from "react-router-dom"
import { z } from "zod"

import { newPayoutAt } from "../../lib/address"
import type { Problem, ProblemAnswer, ShownTransaction, TransactionAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { payoutParts } from "../../lib/payouts/amounts"
import { entryOf, post, useAction, useMay } from "../../lib/sdk"
import { NotDone } from "../cards"
import {
  ActionForm,
  ChoiceBoxes,
  NoteField,
  TextField,
  useChecked,
  useDrawer,
  useTypedSum,
} from "../forms"
import { Action } from "../link-to"
import { usePayoutSettings } from "../payouts/payout-gate"

/** Has the service asked about a payment, and says what came of it. */
export const CheckNow = ({ id, isPossible }: { id: string; isPossible: boolean }) => {
  const { t, text } = useFormat()
  const mayCheck = useMay("update")
  const { act, isPending, error } = useAction({
    run: () => post<TransactionAnswer>(`${entryOf("transactions", id)}/settle`),
    done: ({ verdict: { messages } }) =>
      toast.success(t("verdict.checked"), { description: text(messages) }),
  })
  if (!mayCheck) return null
  return (
    <>
      <Action className="w-fit" onClick={() => act()} isLoading={isPending} disabled={!isPossible}>
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
  const { t, money } = useFormat()
  const navigate = useNavigate()
  const mayMake = useMay("create", "payment_service_payout")
  const { data: payouts } = usePayoutSettings(mayMake)
  const mayPayOut = mayMake && payouts?.may.create === true && payment.currency === "RUB"
  const splitOf = (sum: string | null) =>
    mayPayOut && sum !== null ? payoutParts(sum, payouts.smallest, payouts.limits.per_payout) : null
  /** By a payout where one can be made, unless the admin has chosen otherwise. */
  const wayOf = (sum: string | null, chosen: string) =>
    chosen !== "outside" && splitOf(sum)?.parts.length ? "card" : "outside"
  const most = t("refund.most", { held: money(held, payment.currency) })
  const sum = useTypedSum(due)
  const refund = z
    .object({
      amount: sum.schema(most).refine((one) => Number(one) <= Number(held), most),
      chosen: z.string(),
      note: z.string().trim(),
    })
    .refine(({ amount, chosen, note }) => note || wayOf(amount, chosen) === "card", {
      path: ["note"],
      error: t("required"),
      // Told together with a wrong sum.
      when: () => true,
    })
    .transform(({ chosen, ...given }) => ({ ...given, way: wayOf(given.amount, chosen) }))
  const form = useChecked(refund, { amount: sum.shown, chosen: "", note: "" })
  const typed = sum.read(form.watch("amount"))
  const split = splitOf(typed)
  const canPayOut = Boolean(split?.parts.length)
  const way = wayOf(typed, form.watch("chosen"))

  const { act, isPending, error } = useAction({
    run: async ({ amount, way, note }: z.infer<typeof refund>) => {
      const path = entryOf("transactions", payment.id)
      const { problems } = await post<TransactionAnswer>(`${path}/refund`, { amount, held })
      const problem = problems.find((one) => isDue(one, payment.id))
      if (!problem) throw new Error(t("refund.notAsked"))
      if (way === "outside") {
        const part = problem.amount === amount ? null : amount
        const said = { note, amount: problem.amount, part }
        await post<ProblemAnswer>(`problems/${problem.id}/refunded-outside`, said)
      }
      return { problem, amount, way }
    },
    done: ({ problem, amount, way }) => {
      close()
      if (way === "outside") toast.success(t("actions.refunded_outside.done"))
      else {
        const { id: problemId, pay_out: payOut } = problem
        const account = payOut?.account ?? null
        void navigate(newPayoutAt({ problemId, orderId: payment.order_id, amount, account }))
      }
    },
  })
  const cardText = t(canPayOut ? "refund.cardText" : "payout.paidBack.tooLittle")
  const ways = [
    { value: "card", label: t("refund.card"), description: cardText, disabled: !canPayOut },
    { value: "outside", label: t("refund.outside"), description: t("refund.outsideText") },
  ]
  return (
    <ActionForm
      title={t("refund.label")}
      description={t("refund.whatHappens")}
      label={t(way === "card" ? "refund.toPayout" : "refund.record")}
      isBusy={isPending}
      error={error}
      form={form}
      onSubmit={act}
    >
      <TextField name="amount" label={t("fields.amount")} hint={most} inputMode="decimal" />
      <ChoiceBoxes
        name="chosen"
        label={t("refund.way")}
        value={way}
        options={mayPayOut ? ways : ways.slice(1)}
      />
      {way === "card" && split?.rest && (
        <Hint>{t("payout.new.rest", { rest: money(split.rest, payment.currency) })}</Hint>
      )}
      {way === "outside" && (
        <NoteField
          label={t("actions.note")}
          placeholder={t("actions.refunded_outside.notePlaceholder")}
        />
      )}
    </ActionForm>
  )
}
