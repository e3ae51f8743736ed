import { EllipsisHorizontal } from "@medusajs/icons"
import { DropdownMenu, IconButton, StatusBadge, Text, toast } from "@medusajs/ui"
import { useNavigate } from "react-router-dom"
import { z } from "zod"

import { newPayoutAt } from "../../lib/address"
import type { Problem, ProblemAction, ProblemAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { entryOf, post, useAction, useMay } from "../../lib/sdk"
import { Line, Subtle, Tiny } from "../cards"
import { ActionForm, NoteField, TextField, useChecked, useDrawer, useTypedSum } from "../forms"
import { Action, LinkTo } from "../link-to"
import { PaidBackSums } from "../payouts/paid-back"
import { usePayoutSettings } from "../payouts/payout-gate"

/** The kind of a problem; its color tells whether it is open. */
export const KindBadge = ({ kind, closed_at }: Pick<Problem, "kind" | "closed_at">) => (
  <StatusBadge color={closed_at === null ? "red" : "grey"}>
    {useFormat().word("problemKinds", kind)}
  </StatusBadge>
)

interface ProblemTextProps {
  problem: Problem
  /** Whether the page says its cause already. */
  isToldAbove?: boolean
}

/** A problem as text: its cause, its beginning, what to do and what closes it; for a closed one, its end. */
export const ProblemText = ({ problem, isToldAbove = false }: ProblemTextProps) => {
  const { t, text, moment, word } = useFormat()
  const { closed_by_name: name, note } = problem
  const about = [
    problem.closed_at === null
      ? t("problems.since", { moment: moment(problem.opened_at) })
      : t("problems.closed", {
          moment: moment(problem.closed_at),
          resolution: word("resolutions", problem.resolution),
        }),
    name && t("problems.closedBy", { name }),
    note,
  ]
  return (
    <div className="flex flex-col gap-y-1">
      {!isToldAbove && <Text size="small">{text(problem.messages)}</Text>}
      {problem.advice && (
        <Text size="small" weight="plus">
          {text(problem.advice)}
        </Text>
      )}
      {problem.closes && <Subtle>{text(problem.closes)}</Subtle>}
      <Tiny>{about.filter(Boolean).join(" · ")}</Tiny>
    </div>
  )
}

type AmongOthersProps = ProblemTextProps & ActionsProps

/** A problem among others of a page: its name as a link, its text, what was paid back, and its possible actions. */
export const ProblemAmongOthers = ({ problem, isToldAbove, mayPayOut }: AmongOthersProps) => {
  const { word } = useFormat()
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <Line weight="plus">
        <LinkTo to={`/payment-service/problems/${problem.id}`}>
          {word("problemKinds", problem.kind)}
        </LinkTo>
      </Line>
      <ProblemText problem={problem} isToldAbove={isToldAbove} />
      <PaidBackSums payOut={problem.pay_out} />
      <ProblemActions problem={problem} mayPayOut={mayPayOut} />
    </div>
  )
}

interface ActionsProps {
  problem: Problem
  /** Whether the user may pay out; asked for when the page does not know. */
  mayPayOut?: boolean | undefined
}

/** A problem's possible actions, the first as a button and the others in a menu, which say what will happen before they are done. */
export const ProblemActions = ({ problem, mayPayOut: known }: ActionsProps) => {
  const { t } = useFormat()
  const navigate = useNavigate()
  const mayAct = useMay("update")
  const mayMake = useMay("create", "payment_service_payout")
  const hasPayOut = problem.actions.includes("pay_out")
  const { data: settings } = usePayoutSettings(mayMake && hasPayOut && known === undefined)
  const mayPayOut = known ?? (mayMake && settings?.may.create === true)
  const { open, drawer } = useDrawer<FormAction>((action, close) => (
    <ProblemActionForm problem={problem} action={action} close={close} />
  ))
  const [first, ...others] = problem.actions.filter((action) =>
    action === "pay_out" ? mayPayOut : mayAct
  )
  const labelOf = (action: ProblemAction) => t(`actions.${action}.label`)
  const begin = (action: ProblemAction) => {
    if (action !== "pay_out") return open(action)
    const { id: problemId, order_id: orderId, pay_out: payOut } = problem
    // The form shows how the whole sum is split into payouts, and the rest.
    const { free: amount = null, account = null } = payOut ?? {}
    void navigate(newPayoutAt({ problemId, orderId, amount, account }))
  }
  // The drawer stays after its action has closed the problem, and shows the result.
  if (!mayAct && !mayMake) return null
  return (
    <div className="flex flex-wrap items-center gap-2 empty:hidden">
      {first && (
        <Action variant="primary" onClick={() => begin(first)}>
          {labelOf(first)}
        </Action>
      )}
      {others.length > 0 && (
        // A menu that holds the focus would take it back from the drawer that opens.
        <DropdownMenu modal={false}>
          <DropdownMenu.Trigger asChild>
            <IconButton size="small" variant="transparent" aria-label={t("actions.others")}>
              <EllipsisHorizontal />
            </IconButton>
          </DropdownMenu.Trigger>
          <DropdownMenu.Content align="start">
            {others.map((action) => (
              <DropdownMenu.Item key={action} onClick={() => begin(action)}>
                {labelOf(action)}
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu>
      )}
      {drawer}
    </div>
  )
}

/** The money that a problem is about: its sum, or the sums of all payments with its status. */
export const AtStake = ({ problem }: { problem: Problem }) => {
  const { t, money } = useFormat()
  if (!problem.payments?.length) return <>{money(problem.amount, problem.currency)}</>
  return (
    <span className="flex flex-col">
      {problem.payments.map(({ currency, count, amount }) => (
        <span key={currency}>
          {money(amount, currency)} · {t("overview.payments", { count })}
        </span>
      ))}
    </span>
  )
}

/** The actions that have a drawer; `pay_out` leads to a new payout. */
type FormAction = Exclude<ProblemAction, "pay_out">

/** Actions that need a note: what was done, by whom, how the money went back. After the others a payment is settled. */
const WITH_NOTE: FormAction[] = ["refunded_outside", "handle"]

/** The sums on the screen go with each action, which is refused when they have changed. */
const SEEN: Record<FormAction, (keyof Problem)[]> = {
  retry: [],
  link_order: ["amount", "order_id"],
  replace_order: ["amount", "order_id"],
  take_instead: ["amount"],
  place_order: ["amount", "cart_total"],
  accept_amount: ["amount", "cart_total"],
  refunded_outside: ["amount"],
  handle: ["amount"],
}

interface ProblemActionFormProps {
  problem: Problem
  action: FormAction
  close: () => void
}

const ProblemActionForm = ({ problem, action, close }: ProblemActionFormProps) => {
  const { t, money, text, word } = useFormat()
  const navigate = useNavigate()
  const needsNote = WITH_NOTE.includes(action)
  const hasSum = action === "refunded_outside" && problem.amount !== null
  const sum = useTypedSum(problem.amount ?? "")
  const typed = z.object({
    part: hasSum ? sum.schema(t("actions.sumWrong")) : z.string(),
    note: z
      .string()
      .trim()
      .min(needsNote ? 1 : 0, t("required")),
  })
  const form = useChecked(typed, { part: sum.shown, note: "" })
  const part = sum.read(form.watch("part"))
  /** Tells what became of the problem: it is still open, has led to another one, waits for Medusa, or is over. */
  const tell = (answer: ProblemAnswer) => {
    const { problem: after, next_problem: next, transaction, retried } = answer
    // Medusa may refuse to settle a payment.
    const refusal = needsNote ? null : transaction?.exception_reason
    if (retried?.left) {
      const { now, left } = retried
      toast.info(t("actions.retry.many", { count: now + left, now }), {
        description: t("actions.retry.left", { count: left }),
      })
    } else if (after.closed_at === null) {
      toast.warning(t("actions.stillOpen"), { description: text(refusal ?? after.messages) })
    } else if (next) {
      const label = t("actions.seeNext")
      const onClick = () => void navigate(`/payment-service/problems/${next.id}`)
      toast.warning(t("actions.nextOpen", { problem: word("problemKinds", next.kind) }), {
        description: text(next.messages),
        action: { label, altText: label, onClick },
      })
    } else if (refusal) {
      toast.warning(t("actions.triedAgain"), { description: text(refusal) })
    } else {
      const description = answer.waits_for_change ? t("actions.waitsForChange") : undefined
      toast.success(t(`actions.${action}.done`), { description })
    }
    close()
  }
  const path = `${entryOf("problems", problem.id)}/${action.replace("_", "-")}`
  const acting = useAction({
    run: ({ part, note }: z.infer<typeof typed>) => {
      const seen = SEEN[action].map((name) => [name, problem[name]] as const)
      // Perhaps not all of the sum went back.
      const wentBack = action === "refunded_outside" && { part: part || null }
      const body = { ...Object.fromEntries(seen), ...(needsNote && { note }), ...wentBack }
      return post<ProblemAnswer>(path, body)
    },
    done: tell,
    failed: "actions.refused",
  })
  const sums = {
    paid: money(problem.amount, problem.currency),
    cart: money(problem.cart_total ?? problem.amount, problem.currency),
    context: problem.cart_total === null ? "" : "cart",
  }
  return (
    <ActionForm
      title={t(`actions.${action}.label`)}
      description={t(`actions.${action}.whatHappens`, sums)}
      label={t(`actions.${action}.label`)}
      isBusy={acting.isPending}
      form={form}
      onSubmit={acting.act}
    >
      <Text size="small">{text(problem.messages)}</Text>
      {hasSum && (
        <TextField
          name="part"
          label={t("fields.amount")}
          hint={part === null ? t("actions.sumWrong") : money(part, problem.currency)}
          inputMode="decimal"
        />
      )}
      {needsNote && (
        <NoteField label={t("actions.note")} placeholder={t(`actions.${action}.notePlaceholder`)} />
      )}
    </ActionForm>
  )
}
