import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createWorkflow,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"

import type { Placing } from "../../modules/payment-service/placings"
import { beginCompletion } from "./half-made-orders"
import { holdingCart } from "./holding-cart"

/**
 * As a part of another workflow core's completion takes no lock on the cart, which a process that dies would
 * leave there for two minutes. The cart is held already.
 */
export const completeHeldCartWorkflow = createWorkflow(
  "payment-service-complete-held-cart",
  (input: WorkflowData<{ id: string }>) =>
    new WorkflowResponse(completeCartWorkflow.runAsStep({ input }))
)

/**
 * Completes a cart with a transaction as core does, so that what is left when this process dies is tidied up
 * soon.
 *
 * @returns the order, or why core made none
 * @throws what the locking provider throws when the cart is not free within `waitMs`
 */
export async function completeCart(
  container: MedusaContainer,
  row: Pick<Placing, "id" | "cart_id">,
  waitMs: number
): Promise<{ orderId: string } | { error: unknown }> {
  const complete = async () => {
    const ended = await beginCompletion(container, row, { isHeld: true })
    const completed = await completeHeldCartWorkflow(container).run({
      input: { id: row.cart_id },
      throwOnError: false,
    })
    await ended()
    return completed
  }
  const { result, errors } = await holdingCart(container, row.cart_id, complete, waitMs)
  const [failure] = errors
  return failure ? { error: failure.error } : { orderId: result.id }
}
