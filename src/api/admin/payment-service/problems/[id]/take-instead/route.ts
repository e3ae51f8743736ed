import { acceptPayment } from "../../../../../../workflows/problems/accept-payment"
import { problemRoute } from "../../problem-route"
import type { AcceptBody } from "../../validators"

/** Takes the payment for its order, in place of the one that was promised. */
export const POST = problemRoute<AcceptBody>((ports, { problem_id, body, by }) =>
  acceptPayment(ports, { problem_id, action: "take_instead", ...body, accepted_by: by })
)
