import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { sortOf } from "../query-fields"
import { searchTerms } from "../transactions/search-terms"
import { problemViews } from "./problem-view"
import type { ProblemsQuery } from "./validators"

/** Lists problems, each with its text in every language, so that requests need not name one. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { problemList } = paymentServiceModule(req.scope)
  const { q, limit, offset, order, ...filters } = req.validatedQuery as ProblemsQuery
  const filter = { ...filters, search: q ? await searchTerms(req.scope, q) : undefined }
  const [problems, count] = await Promise.all([
    problemList.page(filter, { ...sortOf(order), limit, offset }),
    problemList.count(filter),
  ])
  res.json({ problems: await problemViews(req.scope, problems), count, limit, offset })
}
