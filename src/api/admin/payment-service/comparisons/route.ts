import {
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../../../modules/payment-service"
import type { ReconciliationRunRow } from "../../../../modules/payment-service/tables"
import { refusalText } from "../../../../problems/rules/refusals"
import { compareNow, RECONCILIATION_LEASE } from "../../../../reconciliation"
import { lacksRecordsOnly } from "../../../../reconciliation/rules/schedule"
import type { Text } from "../../../../texts"
import { type Asked, inReadersLanguage } from "../in-readers-language"
import { merchantsOf } from "../merchants"
import type { BodyOf, QueryOf } from "../validators"

/** Lists comparisons with the service's records, the latest first. They are kept for 90 days. */
export const GET = inReadersLanguage(async (req: Asked<unknown, QueryOf<"comparisons">>) => {
  const { limit, offset } = req.validatedQuery
  const list = await comparisonViews(paymentServiceModule(req.scope), { limit, offset })
  return { ...list, limit, offset }
})

/** Begins a comparison without waiting for its end; `GET` shows its progress. */
export const POST = inReadersLanguage(async (req: Asked<BodyOf<"comparisons">>, res) => {
  const accounts = await paymentServiceModule(req.scope).accounts()
  const merchants = merchantsOf(accounts, req.validatedBody.account)
  const begun = await compareNow(req.scope, accounts, merchants)
  res.status(202)
  return {
    begun: begun.map(({ merchant: { merchantId, baseUrl }, span: { from, to } }) => {
      return { merchant_id: merchantId, base_url: baseUrl, from, to }
    }),
  }
})

/** Comparisons, the latest first. Only one runs at a time, so only the latest can be running. */
export async function comparisonViews(
  module: PaymentServiceModuleService,
  { limit, offset }: QueryOf<"comparisons">
) {
  // This comes before the list, so that a comparison which ends meanwhile has its end in the list.
  const running = await module.leases.isHeld(RECONCILIATION_LEASE)
  const [runs, count] = await module.listAndCountReconciliationRuns(
    {},
    { take: limit, skip: offset, order: { started_at: "DESC", id: "DESC" } }
  )
  const comparisons = runs.map((run, index) => {
    const { reasons, created_at, updated_at, deleted_at, ...view } = run
    const texts = (reasons ?? []).map(refusalText)
    // Without codes, the reason for an early end is said as it was stored.
    const said = (language: keyof Text, stored: string) =>
      [...new Set(texts.map((text) => text[language]))].join("; ") || stored
    return {
      ...view,
      state: stateOf(run, running && offset + index === 0),
      error_messages:
        view.error === null ? null : { en: said("en", view.error), ru: said("ru", view.error) },
    }
  })
  return { count, comparisons, running }
}

type ComparisonState = "running" | "interrupted" | "done" | "records_unreadable" | "ended_early"

/**
 * `interrupted` when its process died, so that it is made again; `ended_early` when something could not be compared (`error`);
 * `records_unreadable` when everything was but the records that could not be read.
 */
function stateOf(run: ReconciliationRunRow, isRunning: boolean): ComparisonState {
  if (!run.finished_at) return isRunning ? "running" : "interrupted"
  if (run.error === null) return "done"
  return lacksRecordsOnly(run) ? "records_unreadable" : "ended_early"
}
