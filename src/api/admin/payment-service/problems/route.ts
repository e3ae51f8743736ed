import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { problemViews } from "./problem-view"
import type { ProblemsQuery } from "./validators"

/** Lists problems, newest first, each with its text in every language, so that requests need not name one. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { problemList } = paymentServiceModule(req.scope)
  const { limit, offset, ...filter } = req.validatedQuery as ProblemsQuery
  const [problems, count] = await Promise.all([
    problemList.page(filter, { limit, offset }),
    problemList.count(filter),
  ])
  res.json({ problems: await problemViews(req.scope, problems), count, limit, offset })
}
