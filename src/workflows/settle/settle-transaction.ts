import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createStep,
  createWorkflow,
  StepResponse,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import { readTransaction } from "../../modules/payment-service/read-transaction"
import { isFreshProof } from "../../settlement/evidence"
import type { TransactionState } from "../../settlement/transaction-state"
import { applyDecision } from "./apply-decision"
import { reportSettlement } from "./report-settlement"

export const settleTransactionWorkflowId = "settle-payment-service-transaction"

export interface SettleInput {
  /** Id of our row (`pstx_…`), not the service's. */
  transaction_row_id: string
  /** A proof of payment that is a moment old is good enough: core has just placed the order on it. */
  reuse_proof?: boolean
}

export interface Settled {
  state: TransactionState
  exception: string | null
  order_id: string | null
}

/** A read ends within its time-out; the wait covers one read by somebody else before ours. */
const READ_LEASE = { ttlMs: 15_000, waitMs: 12_000 }

const settleStep = createStep(
  settleTransactionWorkflowId,
  async (input: SettleInput, { container }) => new StepResponse(await settle(container, input))
)

/**
 * Settle: read one transaction at the service and bring Medusa to the state that it proves. Callback,
 * return page, storefront poll, inbox, watcher, reconciliation and admins all end here. Running it twice, in
 * ten places at once, or being killed in the middle changes nothing.
 */
export const settleTransactionWorkflow = createWorkflow(
  settleTransactionWorkflowId,
  (input: WorkflowData<SettleInput>) => new WorkflowResponse(settleStep(input))
)

async function settle(
  container: MedusaContainer,
  { transaction_row_id: rowId, reuse_proof = false }: SettleInput
): Promise<Settled> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  // The lease is released before Medusa is touched, whose workflows lock the cart.
  const { before, row } = await module.leases.hold(`read:${rowId}`, READ_LEASE, async () => {
    const before = await module.retrieveTransaction(rowId)
    return reuse_proof && isFreshProof(before, module.clock.now())
      ? { before, row: before }
      : { before, row: (await readTransaction(module, before)).row }
  })
  const settled = await applyDecision(container, row)
  await reportSettlement(container, before, settled)
  const { state, exception, order_id } = settled
  return { state, exception, order_id }
}
