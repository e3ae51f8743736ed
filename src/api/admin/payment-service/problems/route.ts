import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { problemViews } from "./problem-view"
import type { ProblemsQuery } from "./validators"

/** Lists problems, newest first, each with its text in every language: no request has to name one. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const { status, limit, offset, ...filters } = req.validatedQuery as ProblemsQuery
  const [problems, count] = await module.listAndCountProblems(
    {
      ...filters,
      ...(status === "open" ? { closed_at: null } : {}),
      ...(status === "closed" ? { closed_at: { $ne: null } } : {}),
    },
    { order: { opened_at: "DESC", id: "DESC" }, take: limit, skip: offset }
  )
  res.json({ problems: await problemViews(req.scope, problems), count, limit, offset })
}
