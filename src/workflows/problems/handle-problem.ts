import { causeOfTransaction } from "../../settlement/cause"
import { followRefundDue } from "../../transactions/follow-refund-due"
import type { SettlePorts } from "../settle/ports"
import { closeHandledPayment } from "./close-handled-payment"
import { actOnProblem } from "./open-problem"

export interface HandleProblemInput {
  problem_id: string
  /** Says what was done about it. */
  note: string
  handled_by: string | null
}

/**
 * Closes a problem that a person took care of, with a note on how. If it was about a payment that has not
 * settled, the plugin leaves its money alone from now on.
 */
export async function handleProblem(
  ports: SettlePorts,
  { problem_id, note, handled_by }: HandleProblemInput
): Promise<{ problem_id: string }> {
  await actOnProblem(ports, problem_id, "handle", async ({ module, problem, row }) => {
    const handled = { resolution: "handled", by: handled_by, note } as const
    if (row && problem.cause === causeOfTransaction(row.id) && !row.settled_at) {
      await closeHandledPayment(ports, row, () =>
        module.problems.closeByPerson(problem_id, handled, { of: row.id, back: null })
      )
    } else {
      await module.problems.closeByPerson(problem_id, handled)
      // A settle that looked before the problem was closed may have opened it again.
      if (row && problem.kind === "refund_due") await followRefundDue(ports, row.id)
    }
  })
  return { problem_id }
}
