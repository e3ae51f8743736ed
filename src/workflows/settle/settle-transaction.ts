import {
  createWorkflow,
  transform,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"

import { applyDecisionStep, readTransactionStep, type SettleInput } from "./steps"

export const settleTransactionWorkflowId = "settle-payment-service-transaction"

/**
 * Settle: read one transaction at the service and bring Medusa to the state that it proves. Callback,
 * return page, storefront poll and inbox all end here, and nothing else changes Medusa. Running it
 * twice, in ten places at once, or being killed in the middle changes nothing.
 */
export const settleTransactionWorkflow = createWorkflow(
  settleTransactionWorkflowId,
  (input: WorkflowData<SettleInput>) => {
    const read = readTransactionStep(input)
    const settled = applyDecisionStep(
      transform({ input, read }, ({ input, read }) => ({ ...input, read }))
    )
    return new WorkflowResponse(settled)
  }
)
