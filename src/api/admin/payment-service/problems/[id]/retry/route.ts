import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { retryProblem } from "../../../../../../workflows/problems/retry-problem"
import { settlePortsOf } from "../../../../../../workflows/settle/ports"
import { answerWithProblem } from "../../answer-with-problem"
import { orMedusaError } from "../../service-errors"

/** Settles the problem's transactions again, see `retryProblemWorkflow`. */
export async function POST(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  await retryProblem(settlePortsOf(req.scope), { problem_id: req.params.id ?? "" }).catch(
    orMedusaError
  )
  await answerWithProblem(req, res)
}
