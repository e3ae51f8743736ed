import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import * as problems from "../../../../workflows/problems/accept-payment"
import { answerWithProblem } from "./answer-with-problem"
import { orMedusaError } from "./service-errors"
import type { AcceptBody } from "./validators"

/** Takes the payment that a problem is about, and answers with what became of both. */
export async function acceptPayment(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse,
  action: problems.AcceptPaymentInput["action"]
): Promise<void> {
  await problems
    .acceptPayment(req.scope, {
      problem_id: req.params.id ?? "",
      action,
      ...(req.validatedBody as AcceptBody),
      accepted_by: req.auth_context.actor_id,
    })
    .catch(orMedusaError)
  await answerWithProblem(req, res)
}
