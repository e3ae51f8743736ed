import type { ProblemRow, TransactionRow } from "../modules/payment-service"
import type { SettlePorts } from "../payments/core"
import { followOrders } from "../payments/follow-order"
import type { Ports } from "../payments/ports"
import { isOutside, proofsOf } from "../payments/rules/ledger"
import { refused } from "../refusals/refused"
import { isOfOrdersMoney, requireNoneUnderWay, requireSeenAtStake } from "./money-back"
import { closeHandledPayment, doAction } from "./open-problem"
import { causeOfTransaction } from "./rules/cause"
import { actionsFor } from "./rules/problems"

export interface HandleProblemInput {
  problem_id: string
  /** The sum that the admin saw with the problem, as decimal text; null only where it shows none. */
  amount: string | null
  /** The admin's words on what was done. */
  note: string
  handled_by: string | null
}

/** Requires that no refund outside, whose recording was broken off, is left before the problem is closed. */
async function requireNoneBegun(ports: Ports, problem: ProblemRow, row: TransactionRow) {
  const entries = proofsOf(row, await ports.module.ledger.of([row.id]))
  const begun = entries.find((one) => isOutside(one) && one.problem_id === problem.id)
  if (begun) {
    throw refused("refund_begun", { refund: { amount: begun.amount, currency: begun.currency } })
  }
}

/** Closes a problem that a person took care of. The plugin no longer acts on its money if the payment has not settled. */
export async function handleProblem(
  ports: SettlePorts,
  { problem_id, amount, note, handled_by: by }: HandleProblemInput
): Promise<{ problem_id: string }> {
  const { module } = ports
  await doAction(ports, { problem_id, action: "handle", by }, async (open) => {
    const { problem, row } = open
    await requireSeenAtStake(ports, open, amount)
    if (row && actionsFor(problem.kind).includes("pay_out")) {
      await requireNoneUnderWay(ports, row)
    }
    if (row?.settled_at) await requireNoneBegun(ports, problem, row)
    const handled = { resolution: "handled", by, note } as const
    if (row && problem.cause === causeOfTransaction(row.id) && !row.settled_at) {
      await closeHandledPayment(ports, row, () =>
        module.problems.closeByPerson(problem_id, handled, { of: row.id, back: null })
      )
    } else if (row && problem.facts.found === "creation_without_reply" && !row.transaction_id) {
      // Its money is taken care of, too, should the service confirm it later. Its session may belong to a later attempt by now.
      await module.problems.closeByPerson(problem_id, handled, { of: row.id, back: null })
    } else {
      const isOwed = problem.kind === "order_underpaid"
      const decided = isOwed ? ("accepted" as const) : ("waived" as const)
      await module.problems.closeByPerson(problem_id, {
        ...handled,
        ...(isOfOrdersMoney(problem) && { decided }),
      })
      // A settle that judged before the closing may have opened the problem again.
      if (problem.order_id && isOfOrdersMoney(problem)) {
        await followOrders(ports, [problem.order_id])
      }
    }
  })
  return { problem_id }
}
