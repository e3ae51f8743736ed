import type { PaymentServiceModuleService } from "../../../../modules/payment-service"
import type { ReconciliationRunRow } from "../../../../modules/payment-service/tables"
import { refusalText } from "../../../../problems/rules/reasons"
import { compareNow, RECONCILIATION_LEASE } from "../../../../reconciliation"
import { lacksRecordsOnly } from "../../../../reconciliation/rules/comparison"
import type { Text } from "../../../../texts"
import { type Asked, type AskedOf, inReadersLanguage } from "../in-readers-language"
import { merchantsOf } from "../merchants"
import type { BodyOf, QueryOf } from "../validators"

export const GET = inReadersLanguage(async (req: AskedOf<"comparisons">, module) => {
  const page = req.validatedQuery
  return { ...(await comparisonViews(module, page)), ...page }
})

/** Begins a comparison without waiting for its end; `GET` shows its progress. */
export const POST = inReadersLanguage(async (req: Asked<BodyOf<"comparisons">>, module, res) => {
  const accounts = await module.accounts()
  const merchants = merchantsOf(accounts, req.validatedBody.account)
  const begun = await compareNow(req.scope, accounts, merchants)
  const { from, to } = begun.span
  res.status(202)
  return {
    begun: begun.merchants.map(({ merchantId, baseUrl }) => {
      return { merchant_id: merchantId, base_url: baseUrl, from, to }
    }),
  }
})

export async function comparisonViews(
  module: PaymentServiceModuleService,
  { limit, offset }: QueryOf<"comparisons">,
  of: { id?: string } = {}
) {
  // Read before the list: a comparison which ends meanwhile has its end in the list.
  const running = await module.leases.isHeld(RECONCILIATION_LEASE)
  const page = { take: limit, skip: offset, order: { started_at: "DESC", id: "DESC" } } as const
  const [runs, count] = await module.listAndCountReconciliationRuns(of, page)
  return { count, comparisons: runs.map((run) => comparisonView(run, running)), running }
}

/** @param running whether any comparison is running; a dead one looks so, too, until that has ended */
function comparisonView(run: ReconciliationRunRow, running: boolean) {
  const { reasons, created_at, updated_at, deleted_at, ...view } = run
  const said = (language: keyof Text) =>
    [...new Set(reasons?.map((reason) => refusalText(reason)[language]))].join("; ")
  const error_messages = reasons && { en: said("en"), ru: said("ru") }
  return { ...view, state: stateOf(run, running), error_messages }
}

type ComparisonState = "running" | "interrupted" | "done" | "records_unreadable" | "ended_early"

/** `interrupted` when its process died, so that it is made again; `ended_early` when something could not be compared (`error`). */
function stateOf(run: ReconciliationRunRow, running: boolean): ComparisonState {
  if (!run.finished_at) return running ? "running" : "interrupted"
  if (run.error === null) return "done"
  return lacksRecordsOnly(run) ? "records_unreadable" : "ended_early"
}
