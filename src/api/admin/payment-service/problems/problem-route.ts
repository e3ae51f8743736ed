import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"

import { type SettlePorts, settlePortsOf } from "../../../../workflows/ports"
import {
  acceptPayment,
  type AcceptPaymentInput,
} from "../../../../workflows/problems/accept-payment"
import {
  endHalfMadeOrder,
  type EndHalfMadeInput,
} from "../../../../workflows/problems/end-half-made-order"
import { inReadersLanguage } from "../in-readers-language"
import { answerWithProblem } from "./answer-with-problem"
import type { AcceptBody } from "./validators"

/**
 * A route that acts on the problem of its address, and answers with that problem and its transaction after that.
 *
 * @param act `by` is the id of the admin, or of the API key; what it returns is added to the answer
 */
export function problemRoute<Body>(
  act: (
    ports: SettlePorts,
    asked: { problem_id: string; body: Body; by: string }
  ) => Promise<object>
) {
  return inReadersLanguage<Body>(async (req: AuthenticatedMedusaRequest<Body>, res) => {
    const told = await act(settlePortsOf(req.scope), {
      problem_id: req.params.id ?? "",
      body: req.validatedBody,
      by: req.auth_context.actor_id,
    })
    await answerWithProblem(req, res, told)
  })
}

/** A route that takes the payment of a problem, see `AcceptPaymentInput`. */
export const acceptRoute = (action: AcceptPaymentInput["action"]) =>
  problemRoute<AcceptBody>(async (ports, { problem_id, body, by }) => {
    await acceptPayment(ports, { problem_id, action, ...body, accepted_by: by })
    return {}
  })

/** A route that ends an order that a killed completion left, see `EndHalfMadeInput`. */
export const endRoute = (action: EndHalfMadeInput["action"]) =>
  problemRoute(async (ports, { problem_id, by }) => {
    await endHalfMadeOrder(ports, { problem_id, action, ended_by: by })
    return {}
  })
