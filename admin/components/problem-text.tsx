import { Text } from "@medusajs/ui"

import type { Problem } from "../lib/api"
import { useFormat } from "../lib/format"
import { LinkTo } from "./link-to"
import { PaidBackSums } from "./payouts/paid-back"
import { type ActionsProps, ProblemActions } from "./problem-actions"

interface ProblemTextProps {
  problem: Problem
  /** Whether the page says its cause already. */
  isToldAbove?: boolean
}

/** A problem as text: its cause, its beginning and what closes it; for a closed one, its end. */
export const ProblemText = ({ problem, isToldAbove = false }: ProblemTextProps) => {
  const { t, text, moment, word } = useFormat()
  return (
    <div className="flex flex-col gap-y-1">
      {!isToldAbove && <Text size="small">{text(problem.messages)}</Text>}
      {problem.closes && (
        <Text size="small" className="text-ui-fg-subtle">
          {text(problem.closes)}
        </Text>
      )}
      <Text size="xsmall" className="text-ui-fg-subtle">
        {problem.closed_at === null
          ? t("problems.since", { moment: moment(problem.opened_at) })
          : t("problems.closed", {
              moment: moment(problem.closed_at),
              resolution: word("resolutions", problem.resolution),
            })}
        {problem.closed_by_name
          ? ` · ${t("problems.closedBy", { name: problem.closed_by_name })}`
          : ""}
        {problem.note ? ` · ${problem.note}` : ""}
      </Text>
    </div>
  )
}

/** A problem among others of a page: its name as a link, its text, what was paid back, and its possible actions. */
export const ProblemAmongOthers = ({
  problem,
  isToldAbove,
  ...actions
}: ProblemTextProps & Omit<ActionsProps, "problem">) => {
  const { word } = useFormat()
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <Text size="small" leading="compact" weight="plus">
        <LinkTo to={`/payment-service/problems/${problem.id}`}>
          {word("problemKinds", problem.kind)}
        </LinkTo>
      </Text>
      <ProblemText problem={problem} isToldAbove={isToldAbove} />
      <PaidBackSums payOut={problem.pay_out} />
      <ProblemActions problem={problem} {...actions} />
    </div>
  )
}
