import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { retryProblemWorkflow } from "../../../../../../workflows/problems/retry-problem"
import { answerWithProblem } from "../../answer-with-problem"
import { orMedusaError } from "../../service-errors"

/** Settles the problem's transactions again, see `retryProblemWorkflow`. */
export async function POST(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  await retryProblemWorkflow(req.scope)
    .run({ input: { problem_id: req.params.id ?? "" } })
    .catch(orMedusaError)
  await answerWithProblem(req, res)
}
