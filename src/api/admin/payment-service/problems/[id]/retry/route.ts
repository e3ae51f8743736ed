import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { retryProblem } from "../../../../../../workflows/problems/retry-problem"
import { settlePortsOf } from "../../../../../../workflows/ports"
import { inReadersLanguage } from "../../../in-readers-language"
import { answerWithProblem } from "../../answer-with-problem"

/** Settles the problem's transactions again, see `retryProblemWorkflow`. */
export const POST = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest, res: MedusaResponse) => {
    await retryProblem(settlePortsOf(req.scope), { problem_id: req.params.id ?? "" })
    await answerWithProblem(req, res)
  }
)
