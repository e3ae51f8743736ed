import type { ProblemRow } from "../../../../modules/payment-service"
import { actionsFor, type ProblemAction } from "../../../../settlement/problem"

/** A problem as admins see it. */
export interface ProblemView extends Omit<
  ProblemRow,
  "cause" | "created_at" | "updated_at" | "deleted_at"
> {
  /** What can be done about it now; nothing when it is closed. */
  actions: ProblemAction[]
}

export function problemView({
  cause: _cause,
  created_at: _created,
  updated_at: _updated,
  deleted_at: _deleted,
  ...problem
}: ProblemRow): ProblemView {
  return {
    ...problem,
    actions: problem.closed_at ? [] : actionsFor(problem.kind, problem.transaction_row_id !== null),
  }
}
