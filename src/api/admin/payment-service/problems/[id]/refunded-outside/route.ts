import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { recordRefundOutsideWorkflow } from "../../../../../../workflows/problems/record-refund-outside"
import { answerWithProblem } from "../../answer-with-problem"
import type { NoteBody } from "../../validators"

/** Records that the money went back by another way; Medusa books the refund if it holds the payment. */
export async function POST(
  req: AuthenticatedMedusaRequest<NoteBody>,
  res: MedusaResponse
): Promise<void> {
  await recordRefundOutsideWorkflow(req.scope).run({
    input: {
      problem_id: req.params.id ?? "",
      note: req.validatedBody.note,
      given_by: req.auth_context.actor_id,
    },
  })
  await answerWithProblem(req, res)
}
