import { recordPaidOut } from "../../../../../../workflows/problems/record-refund-outside"
import { problemRoute } from "../../problem-route"
import type { RecordBody } from "../../validators"

/** Records the payouts for the problem; Medusa books the refund if it holds the payment. */
export const POST = problemRoute<RecordBody>((ports, { problem_id, body: { amount, note }, by }) =>
  recordPaidOut(ports, { problem_id, amount: amount ?? null, note: note ?? null, given_by: by })
)
