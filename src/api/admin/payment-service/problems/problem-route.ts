import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"

import { type SettlePorts, settlePortsOf } from "../../../../workflows/ports"
import {
  acceptPayment,
  type AcceptPaymentInput,
} from "../../../../workflows/problems/accept-payment"
import { inReadersLanguage } from "../in-readers-language"
import { answerWithProblem } from "./answer-with-problem"
import type { AcceptBody } from "./validators"

/** An admin's request about the problem of the address. */
interface Asked<Body> {
  problem_id: string
  body: Body
  /** Id of the admin, or of the API key. */
  by: string
}

/** A route that acts on the problem of its address, and answers with that problem and its transaction after that. */
export function problemRoute<Body>(
  act: (ports: SettlePorts, asked: Asked<Body>) => Promise<unknown>
) {
  return inReadersLanguage<Body>(async (req: AuthenticatedMedusaRequest<Body>, res) => {
    const done = await act(settlePortsOf(req.scope), {
      problem_id: req.params.id ?? "",
      body: req.validatedBody,
      by: req.auth_context.actor_id,
    })
    await answerWithProblem(req, res, toldOf(done))
  })
}

/** A route that takes the payment of a problem, see `AcceptPaymentInput`. */
export const acceptRoute = (action: AcceptPaymentInput["action"]) =>
  problemRoute<AcceptBody>((ports, { problem_id, body, by }) =>
    acceptPayment(ports, { problem_id, action, ...body, accepted_by: by })
  )

/** A recorded refund may wait for the end of the order's change. */
const toldOf = (done: unknown): object =>
  typeof done === "object" && done !== null && "waits_for_change" in done
    ? { waits_for_change: done.waits_for_change }
    : {}
