import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import * as problems from "../../../../workflows/problems/accept-payment"
import { settlePortsOf } from "../../../../workflows/ports"
import { answerWithProblem } from "./answer-with-problem"
import type { AcceptBody } from "./validators"

/** Accepts the payment of a problem, and answers with the problem and its transaction after that. */
export async function acceptPayment(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse,
  action: problems.AcceptPaymentInput["action"]
): Promise<void> {
  await problems.acceptPayment(settlePortsOf(req.scope), {
    problem_id: req.params.id ?? "",
    action,
    ...(req.validatedBody as AcceptBody),
    accepted_by: req.auth_context.actor_id,
  })
  await answerWithProblem(req, res)
}
