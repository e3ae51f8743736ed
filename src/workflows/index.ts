import {
  createStep,
  createWorkflow,
  StepResponse,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"

import { type SettlePorts, settlePortsOf, settleTransaction } from "../payments"
import { acceptPayment, handleProblem, recordRefundOutside, retryProblem } from "../problems"

export type { Settled } from "../payments"

/** The plugin's actions for the store's own code. The plugin calls the functions, because a workflow would flatten their errors. */
export const settleTransactionWorkflow = workflowOf(
  "settle-payment-service-transaction",
  // The id is our row's (`pstx_…`), not the service's.
  (ports, input: { transaction_row_id: string }) =>
    settleTransaction(ports, input.transaction_row_id)
)
export const acceptPaymentWorkflow = workflowOf("accept-payment-service-payment", acceptPayment)
export const handleProblemWorkflow = workflowOf("handle-payment-service-problem", handleProblem)
export const recordRefundOutsideWorkflow = workflowOf(
  "record-payment-service-refund-outside",
  recordRefundOutside
)
export const retryProblemWorkflow = workflowOf("retry-payment-service-problem", retryProblem)

function workflowOf<Input extends object, Result extends object>(
  name: string,
  work: (ports: SettlePorts, input: Input) => Promise<Result>
) {
  const step = createStep<Input, object, undefined>(
    name,
    async (input, { container }) => new StepResponse(await work(settlePortsOf(container), input))
  )
  return createWorkflow<Input, Result, []>(
    name,
    (input) => new WorkflowResponse(step(input) as WorkflowData<Result>)
  )
}
