import type { SettlePorts } from "../payments/core"
import { reportBalances } from "../payments/follow-order"
import { isOfOrdersMoney, requireNoneUnderWay, requireSeenAtStake } from "./money-back"
import { closeHandledPayment, doAction } from "./open-problem"
import { actionsFor, causeOfTransaction } from "./rules/problems"

export interface HandleProblemInput {
  problem_id: string
  /** The sum that the admin saw with the problem, as decimal text; null only where it shows none. */
  amount: string | null
  /** The admin's words on what was done. */
  note: string
  handled_by: string | null
}

/** Closes a problem that a person took care of. The plugin no longer acts on its money if the payment has not settled. */
export async function handleProblem(
  ports: SettlePorts,
  { problem_id, amount, note, handled_by: by }: HandleProblemInput
): Promise<{ problem_id: string }> {
  const { problems } = ports.module
  await doAction(ports, { problem_id, action: "handle", by }, async (open) => {
    const { problem, row } = open
    await requireSeenAtStake(ports, open, amount)
    if (row && actionsFor(problem.kind).includes("pay_out")) {
      await requireNoneUnderWay(ports, row)
    }
    const handled = { resolution: "handled", by, note } as const
    const ofOrder = isOfOrdersMoney(problem) ? problem.order_id : null
    const isUnconfirmed = problem.facts.found === "creation_without_reply" && !row?.transaction_id
    const isOwn = row && problem.cause === causeOfTransaction(row.id) && !row.settled_at
    if (row && (isOwn || isUnconfirmed)) {
      const money = { isHeld: false, back: null }
      const close = () => problems.closeByPerson(problem_id, handled, money)
      // The money of a creation without a reply is taken care of, too, should the service confirm it later. Its session may
      // belong to a later attempt by now.
      await (isOwn ? closeHandledPayment(ports, row, close) : close())
    } else {
      const decided = problem.kind === "order_underpaid" ? "accepted" : "waived"
      await problems.closeByPerson(problem_id, { ...handled, ...(ofOrder && { decided }) })
      // A settle that judged before the closing may have opened the problem again.
      if (ofOrder) await reportBalances(ports, [ofOrder])
    }
  })
  return { problem_id }
}
