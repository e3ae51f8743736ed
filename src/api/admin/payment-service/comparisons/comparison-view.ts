import type { PaymentServiceModuleService } from "../../../../modules/payment-service"
import type { ReconciliationRunRow } from "../../../../modules/payment-service/tables"
import { refusalText } from "../../../../problems/rules/reasons"
import { RECONCILIATION_LEASE } from "../../../../reconciliation"
import { lacksRecordsOnly } from "../../../../reconciliation/rules/comparison"
import type { Text } from "../../../../texts"
import type { QueryOf } from "../validators"

const LATEST_FIRST = { started_at: "DESC", id: "DESC" } as const

/** Comparisons, the latest first. */
export async function comparisonViews(
  module: PaymentServiceModuleService,
  { limit, offset }: QueryOf<"comparisons">,
  of: { id?: string } = {}
) {
  // This comes before the list, so that a comparison which ends meanwhile has its end in the list.
  const running = await module.leases.isHeld(RECONCILIATION_LEASE)
  const page = { take: limit, skip: offset, order: LATEST_FIRST }
  const [runs, count] = await module.listAndCountReconciliationRuns(of, page)
  return { count, comparisons: runs.map((run) => comparisonView(run, running)), running }
}

/** @param running whether any comparison is running; a dead one looks so, too, until that has ended */
function comparisonView(run: ReconciliationRunRow, running: boolean) {
  const { reasons, created_at, updated_at, deleted_at, ...view } = run
  const said = (language: keyof Text) =>
    [...new Set(reasons?.map((reason) => refusalText(reason)[language]))].join("; ")
  return {
    ...view,
    state: stateOf(run, running),
    error_messages: reasons && { en: said("en"), ru: said("ru") },
  }
}

type ComparisonState = "running" | "interrupted" | "done" | "records_unreadable" | "ended_early"

/**
 * `interrupted` when its process died, so that it is made again; `ended_early` when something could not be compared (`error`);
 * `records_unreadable` when everything was but the records that could not be read.
 */
function stateOf(run: ReconciliationRunRow, running: boolean): ComparisonState {
  if (!run.finished_at) return running ? "running" : "interrupted"
  if (run.error === null) return "done"
  return lacksRecordsOnly(run) ? "records_unreadable" : "ended_early"
}
