import { acceptPayment } from "../../../../../../workflows/problems/accept-payment"
import { problemRoute } from "../../problem-route"
import type { AcceptBody } from "../../validators"

/** Accepts the payment for the cart as it is now, or for a new order like the canceled one. */
export const POST = problemRoute<AcceptBody>((ports, { problem_id, body, by }) =>
  acceptPayment(ports, { problem_id, action: "place_order", ...body, accepted_by: by })
)
