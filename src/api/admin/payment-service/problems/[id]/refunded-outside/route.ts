import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { recordRefundOutside } from "../../../../../../workflows/problems/record-refund-outside"
import { settlePortsOf } from "../../../../../../workflows/ports"
import { inReadersLanguage } from "../../../in-readers-language"
import { answerWithProblem } from "../../answer-with-problem"
import type { RefundBody } from "../../validators"

/** Records that the money went back by another way; Medusa books the refund if it holds the payment. */
export const POST = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest<RefundBody>, res: MedusaResponse) => {
    await recordRefundOutside(settlePortsOf(req.scope), {
      problem_id: req.params.id ?? "",
      amount: req.validatedBody.amount ?? null,
      note: req.validatedBody.note,
      given_by: req.auth_context.actor_id,
    })
    await answerWithProblem(req, res)
  }
)
