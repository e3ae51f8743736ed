import type { PaymentServiceModuleService } from "../../../../modules/payment-service"
import type { ReconciliationRunRow } from "../../../../modules/payment-service/tables"
import { refusalText } from "../../../../problems/rules/refusals"
import { RECONCILIATION_LEASE } from "../../../../reconciliation"
import { lacksRecordsOnly } from "../../../../reconciliation/rules/schedule"
import type { Text } from "../../../../texts"
import type { QueryOf } from "../validators"

const LATEST_FIRST = { started_at: "DESC", id: "DESC" } as const

/** Comparisons, the latest first. Only one runs at a time, so only the latest can be running. */
export async function comparisonViews(
  module: PaymentServiceModuleService,
  { limit, offset }: QueryOf<"comparisons">
) {
  // This comes before the list, so that a comparison which ends meanwhile has its end in the list.
  const running = await module.leases.isHeld(RECONCILIATION_LEASE)
  const page = { take: limit, skip: offset, order: LATEST_FIRST }
  const [runs, count] = await module.listAndCountReconciliationRuns({}, page)
  const comparisons = runs.map((run, index) => comparisonView(run, running && offset + index === 0))
  return { count, comparisons, running }
}

/** Whether a comparison is running, and not one after it. */
export async function isRunning(
  module: PaymentServiceModuleService,
  { id }: ReconciliationRunRow
): Promise<boolean> {
  const { running, comparisons } = await comparisonViews(module, { limit: 1, offset: 0 })
  return running && comparisons[0]?.id === id
}

/** @param running whether it is running now, unless it has ended */
export function comparisonView(run: ReconciliationRunRow, running: boolean) {
  const { reasons, created_at, updated_at, deleted_at, ...view } = run
  const texts = (reasons ?? []).map(refusalText)
  // Without codes, the reason for an early end is said as it was stored.
  const said = (language: keyof Text, stored: string) =>
    [...new Set(texts.map((text) => text[language]))].join("; ") || stored
  return {
    ...view,
    state: stateOf(run, running),
    error_messages:
      view.error === null ? null : { en: said("en", view.error), ru: said("ru", view.error) },
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
