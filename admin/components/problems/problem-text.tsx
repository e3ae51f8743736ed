import { EllipsisHorizontal } from "@medusajs/icons"
import { DropdownMenu, IconButton, StatusBadge, Text } from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "react-router-dom"

import { newPayoutAt } from "../../lib/address"
import type { Problem, ProblemAction, ProblemAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { reading, useMay } from "../../lib/sdk"
import { Line, Subtle } from "../cards"
import { useDrawer } from "../forms"
import { Action, LinkTo } from "../link-to"
import { PaidBackSums } from "../payouts/paid-back"
import { usePayoutSettings } from "../payouts/payout-gate"
import { type FormAction, ProblemActionForm } from "./problem-action-form"

/** @param initialData the answer of the page's loader, which is used for a while without another read */
export const useProblem = (id: string, initialData?: ProblemAnswer) =>
  useQuery({
    ...reading<ProblemAnswer>(`problems/${encodeURIComponent(id)}`),
    staleTime: 5_000,
    ...(initialData ? { initialData } : {}),
  })

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
      <Text size="xsmall" className="text-ui-fg-subtle">
        {about.filter(Boolean).join(" · ")}
      </Text>
    </div>
  )
}

/** A problem among others of a page: its name as a link, its text, what was paid back, and its possible actions. */
export const ProblemAmongOthers = ({
  problem,
  isToldAbove,
  ...actions
}: ProblemTextProps & ActionsProps) => {
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
      <ProblemActions problem={problem} {...actions} />
    </div>
  )
}

/** The link contains the whole sum; the form shows how it is split into payouts, and the rest. */
const payoutAt = ({ id, order_id: orderId, pay_out: payOut }: Problem) =>
  newPayoutAt({
    problemId: id,
    orderId,
    amount: payOut?.free ?? null,
    account: payOut?.account ?? null,
  })

interface ActionsProps {
  problem: Problem
  /** Whether the user may pay out; asked for when the page does not know. */
  mayPayOut?: boolean | undefined
}

/** A problem's possible actions, the first as a button and the others in a menu. Each says what will happen before it is done. */
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
  const begin = (action: ProblemAction) =>
    action === "pay_out" ? void navigate(payoutAt(problem)) : open(action)
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
