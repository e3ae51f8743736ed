import { acceptPayment } from "../../../../../../workflows/problems/accept-payment"
import { problemRoute } from "../../problem-route"
import type { AcceptBody } from "../../validators"

/** Accepts the paid sum instead of the one that was asked for. */
export const POST = problemRoute<AcceptBody>((ports, { problem_id, body, by }) =>
  acceptPayment(ports, { problem_id, action: "accept_amount", ...body, accepted_by: by })
)
