import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createWorkflow,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"

import type { Placing } from "../../modules/payment-service/placings"
import { beginCompletion, takeBackUnfinished } from "./half-made-orders"

/**
 * As a part of another workflow core's completion takes no lock on the cart, which a process that dies would
 * leave there for two minutes. Only to be run while the cart is held.
 */
const completeHeldCartWorkflow = createWorkflow(
  "payment-service-complete-held-cart",
  (input: WorkflowData<{ id: string }>) =>
    new WorkflowResponse(completeCartWorkflow.runAsStep({ input }))
)

/**
 * Completes a cart with a transaction as core does, so that what is left when this process dies is tidied up
 * soon. Only to be run while the cart is held.
 *
 * @returns the order and what is to be called once its payment is booked, or why core made none
 * @throws what the database throws
 */
export async function completeCart(
  container: MedusaContainer,
  row: Pick<Placing, "id" | "cart_id">
): Promise<{ orderId: string; ended: () => Promise<void> } | { error: unknown }> {
  const ended = await beginCompletion(container, row, { isHeld: true })
  const { result, errors } = await completeHeldCartWorkflow(container).run({
    input: { id: row.cart_id },
    throwOnError: false,
  })
  const order = result as { id: string } | undefined
  const [failure] = errors
  if (failure || !order) {
    // Core has rolled back, or could not. What cannot be looked at now stays marked.
    await takeBackUnfinished(container, row.cart_id).catch(() => false)
    return { error: failure?.error ?? new Error("Medusa did not complete the cart.") }
  }
  return { orderId: order.id, ended }
}
