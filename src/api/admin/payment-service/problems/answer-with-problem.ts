import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { notFound } from "../../../../modules/payment-service/refused-deed"
import { reasonsText } from "../../../../settlement/problems/reasons"
import { problemViews } from "./problem-view"

/**
 * Answers with the present problem of the address, with its transaction's state, and, if it is closed, with the latest problem of
 * that transaction that is open: what an admin did about the one may have led to another.
 *
 * @throws MedusaError `NOT_FOUND`
 * @param told what else the route has to say
 */
export async function answerWithProblem(
  req: MedusaRequest,
  res: MedusaResponse,
  told: object = {}
): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const id = req.params.id ?? ""
  const [problem] = await module.listProblems({ id }, { take: 1 })
  if (!problem) throw notFound("no_problem", id)
  const { transaction_row_id: rowId } = problem
  const [row] = rowId ? await module.listTransactions({ id: rowId }, { take: 1 }) : []
  const [next] =
    rowId && problem.closed_at
      ? await module.listProblems(
          { transaction_row_id: rowId, closed_at: null },
          { order: { opened_at: "DESC" }, take: 1 }
        )
      : []
  const [view, nextView = null] = await problemViews(req.scope, next ? [problem, next] : [problem])
  res.json({
    problem: view,
    next_problem: nextView,
    transaction: row
      ? {
          id: row.transaction_id,
          state: row.state,
          exception: row.exception,
          exception_reason:
            row.exception && row.exception_reasons && reasonsText(row.exception_reasons),
          order_id: row.order_id,
        }
      : null,
    ...told,
  })
}
