import { randomUUID } from "node:crypto"

import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createWorkflow,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"

import { paymentServiceModule } from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { finishKilledCompletion } from "./half-made-orders"

/**
 * As a step of another workflow, core's completion takes no lock of its own, which would outlive a dead process by two minutes.
 * The caller must hold the cart.
 */
const completeHeldCartWorkflow = createWorkflow(
  "payment-service-complete-held-cart",
  (input: WorkflowData<{ id: string }>) =>
    new WorkflowResponse(completeCartWorkflow.runAsStep({ input }))
)

/**
 * Completes a cart as core does, with a mark on the transaction's row, by which a dead process's half-made order is found. The
 * caller must hold the cart, and have finished what an earlier killed completion left of it.
 *
 * @returns the order's id
 * @throws core's refusal
 */
export async function completeCart(
  container: MedusaContainer,
  rowId: string,
  cartId: string
): Promise<string> {
  const mark = { id: randomUUID(), isHeld: true }
  const { completionMarks } = paymentServiceModule(container)
  const { completion } = await completionMarks.begin({ id: rowId, cart_id: cartId }, mark)
  const { result, errors } = await completeHeldCartWorkflow(container).run({
    input: { id: cartId },
    throwOnError: false,
  })
  const order = result as { id: string } | undefined
  const [failure] = errors
  if (!failure && order) return order.id
  // Core has rolled back, or failed to. If that cannot be read now, the mark stays for a later attempt.
  await finishKilledCompletion(container, cartId, completion).catch(() => undefined)
  const cause: unknown = failure?.error ?? new Error("Medusa did not complete the cart.")
  throw new Error(reasonOf(cause), { cause })
}
