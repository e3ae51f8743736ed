import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { recordPaidOut } from "../../../../../../workflows/problems/record-refund-outside"
import { settlePortsOf } from "../../../../../../workflows/ports"
import { inReadersLanguage } from "../../../in-readers-language"
import { answerWithProblem } from "../../answer-with-problem"
import type { RecordBody } from "../../validators"

/** Records the payouts for the problem; Medusa books the refund if it holds the payment. */
export const POST = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest<RecordBody>, res: MedusaResponse) => {
    await recordPaidOut(settlePortsOf(req.scope), {
      problem_id: req.params.id ?? "",
      note: req.validatedBody.note ?? null,
      given_by: req.auth_context.actor_id,
    })
    await answerWithProblem(req, res)
  }
)
