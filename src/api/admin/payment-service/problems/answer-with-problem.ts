import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { reasonsText } from "../../../../settlement/problems/reasons"
import { problemViews } from "./problem-view"

/** Answers with the present problem of the address, and with its transaction's state. */
export async function answerWithProblem(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const problem = await module.retrieveProblem(req.params.id ?? "")
  const [row] = problem.transaction_row_id
    ? await module.listTransactions({ id: problem.transaction_row_id }, { take: 1 })
    : []
  const [view] = await problemViews(req.scope, [problem])
  res.json({
    problem: view,
    transaction: row
      ? {
          id: row.transaction_id,
          state: row.state,
          exception: row.exception,
          exception_reason: row.exception_reasons && reasonsText(row.exception_reasons),
          order_id: row.order_id,
        }
      : null,
  })
}
