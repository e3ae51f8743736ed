import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { handleProblem } from "../../../../../../workflows/problems/handle-problem"
import { settlePortsOf } from "../../../../../../workflows/ports"
import { inReadersLanguage } from "../../../in-readers-language"
import { answerWithProblem } from "../../answer-with-problem"
import type { NoteBody } from "../../validators"

/** Closes the problem with a person's note on how they took care of it. */
export const POST = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest<NoteBody>, res: MedusaResponse) => {
    await handleProblem(settlePortsOf(req.scope), {
      problem_id: req.params.id ?? "",
      note: req.validatedBody.note,
      handled_by: req.auth_context.actor_id,
    })
    await answerWithProblem(req, res)
  }
)
