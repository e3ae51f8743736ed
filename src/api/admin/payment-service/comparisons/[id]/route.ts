import { problemViews } from "../../../../../problems"
import { twoSides } from "../../../../../reconciliation"
import { notFound } from "../../../../../refusals/refused"
import { type AskedOf, inReadersLanguage } from "../../in-readers-language"
import { comparisonViews } from "../route"

/** A comparison with the differences that nobody but a person can settle, each with its problem, the latest first. */
export const GET = inReadersLanguage(async (req: AskedOf<"comparisons/:id">, module) => {
  const { limit, offset } = req.validatedQuery
  const id = req.params.id ?? ""
  const found = await comparisonViews(module, { limit: 1, offset: 0 }, { id })
  const [comparison] = found.comparisons
  if (!comparison) throw notFound("no_comparison", id)
  const page = { order: "-opened_at", limit, offset } as const
  const [problems, count] = await module.problemList.pageAndCount({ seen_by: comparison }, page)
  const rowIds = problems.flatMap(({ transaction_row_id }) => transaction_row_id ?? [])
  const [views, rows] = await Promise.all([
    problemViews(req.scope, problems, { seesCustomers: false }),
    module.transactions.findAll(rowIds),
  ])
  const differences = views.map(({ facts, transaction_row_id: rowId, ...problem }) => {
    const { kind, messages, closed_at, order_id, order_number } = problem
    const sides = twoSides(facts, rows.get(rowId ?? "") ?? null)
    return { problem_id: problem.id, kind, messages, closed_at, order_id, order_number, ...sides }
  })
  return { comparison, differences, count, limit, offset }
})
