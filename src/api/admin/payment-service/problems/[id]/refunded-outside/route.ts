import { recordRefundOutside } from "../../../../../../workflows/problems/record-refund-outside"
import { problemRoute } from "../../problem-route"
import type { RefundBody } from "../../validators"

/** Records that the money went back by another way; Medusa books the refund if it holds the payment. */
export const POST = problemRoute<RefundBody>((ports, { problem_id, body: { amount, note }, by }) =>
  recordRefundOutside(ports, { problem_id, amount: amount ?? null, note, given_by: by })
)
