import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createStep,
  createWorkflow,
  StepResponse,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"

import type { RowId } from "../settlement/ids"
import { acceptPayment } from "./problems/accept-payment"
import type { AcceptPaymentInput } from "./problems/accept-payment"
import { handleProblem } from "./problems/handle-problem"
import type { HandleProblemInput } from "./problems/handle-problem"
import { recordRefundOutside } from "./problems/record-refund-outside"
import type { RefundOutsideInput } from "./problems/record-refund-outside"
import { retryProblem } from "./problems/retry-problem"
import type { RetryProblemInput } from "./problems/retry-problem"
import { settlePortsOf } from "./ports"
import { settleTransaction } from "./settle/settle-transaction"

export interface SettleInput {
  /** Id of our row (`pstx_…`), not the service's. */
  transaction_row_id: RowId
}

export const settleTransactionWorkflowId = "settle-payment-service-transaction"

/**
 * The plugin's actions as workflows, for the store's own code. The plugin itself calls the functions, because a workflow would
 * flatten their errors.
 */
export const settleTransactionWorkflow = workflowOf(
  settleTransactionWorkflowId,
  (container, { transaction_row_id }: SettleInput) =>
    settleTransaction(settlePortsOf(container), transaction_row_id)
)
export const acceptPaymentWorkflow = workflowOf(
  "accept-payment-service-payment",
  (container, input: AcceptPaymentInput) => acceptPayment(settlePortsOf(container), input)
)
export const handleProblemWorkflow = workflowOf(
  "handle-payment-service-problem",
  (container, input: HandleProblemInput) => handleProblem(settlePortsOf(container), input)
)
export const recordRefundOutsideWorkflow = workflowOf(
  "record-payment-service-refund-outside",
  (container, input: RefundOutsideInput) => recordRefundOutside(settlePortsOf(container), input)
)
export const retryProblemWorkflow = workflowOf(
  "retry-payment-service-problem",
  (container, input: RetryProblemInput) => retryProblem(settlePortsOf(container), input)
)

function workflowOf<Input extends object, Result extends object>(
  name: string,
  work: (container: MedusaContainer, input: Input) => Promise<Result>
) {
  const step = createStep<Input, object, undefined>(
    name,
    async (input, { container }) => new StepResponse(await work(container, input))
  )
  return createWorkflow<Input, Result, []>(
    name,
    (input) => new WorkflowResponse(step(input) as WorkflowData<Result>)
  )
}
