import type { PaymentServiceModuleService } from "../../../../modules/payment-service"
import type { ReconciliationRunRow } from "../../../../modules/payment-service/tables"
import { type Refusal, refusalText } from "../../../../settlement/problems/refusals"
import type { Text } from "../../../../texts"
import { lacksRecordsOnly } from "../../../../settlement/reconciliation-schedule"
import { RECONCILIATION_LEASE } from "../../../../workflows/reconciliation/reconcile"

/**
 * `state`: `running`; `interrupted` when its process died, so that it is made again; `ended_early` when something could not be
 * compared (`error`); `records_unreadable` when everything was but the records that could not be read; or `done`.
 *
 * @param isRunning whether any comparison runs: then it is the latest unfinished one
 */
function comparisonView(run: ReconciliationRunRow, isRunning: boolean) {
  const { reasons, created_at, updated_at, deleted_at, ...view } = run
  const { finished_at, error } = view
  const state = finished_at
    ? error === null
      ? "done"
      : lacksRecordsOnly(run)
        ? "records_unreadable"
        : "ended_early"
    : isRunning
      ? "running"
      : "interrupted"
  return {
    ...view,
    state,
    error_messages: error === null ? null : errorText(error, reasons ?? []),
  }
}

/** The reason for an early end, in each language; without codes, as it was stored. */
function errorText(error: string, reasons: Refusal[]): Text {
  const texts = reasons.map(refusalText)
  const inLanguage = (language: keyof Text) =>
    [...new Set(texts.map((text) => text[language]))].join("; ") || error
  return { en: inLanguage("en"), ru: inLanguage("ru") }
}

/** Comparisons, the latest first. Only one runs at a time, so only the latest can be running. */
export async function comparisonViews(
  module: PaymentServiceModuleService,
  { limit, offset }: { limit: number; offset: number }
) {
  // This comes before the list, so that a comparison which ends meanwhile has its end in the list.
  const running = await module.leases.isHeld(RECONCILIATION_LEASE)
  const [runs, count] = await module.listAndCountReconciliationRuns(
    {},
    { take: limit, skip: offset, order: { started_at: "DESC", id: "DESC" } }
  )
  return {
    count,
    comparisons: runs.map((run, index) =>
      comparisonView(run, running && offset === 0 && index === 0)
    ),
    running,
  }
}

/** The last of all comparisons, and whether one is running. */
export async function comparisonState(module: PaymentServiceModuleService) {
  const { comparisons, running } = await comparisonViews(module, { limit: 1, offset: 0 })
  return { last: comparisons[0] ?? null, running }
}
