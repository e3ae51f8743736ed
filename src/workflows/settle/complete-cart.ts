import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createWorkflow,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"

import { beginCompletion, finishKilledCompletion } from "./half-made-orders"

/**
 * As a part of another workflow core's completion takes no lock on the cart, which a process that dies would
 * leave there for two minutes. Only to be run while the cart is held.
 */
const completeHeldCartWorkflow = createWorkflow(
  "payment-service-complete-held-cart",
  (input: WorkflowData<{ id: string }>) =>
    new WorkflowResponse(completeCartWorkflow.runAsStep({ input }))
)

const LONGEST_TELLING_MS = 5_000

/**
 * Completes a cart with a transaction as core does, so that what is left when this process dies is tidied up
 * soon. Only to be run while the cart is held.
 *
 * @returns the order and what is to be called once its payment is booked, or why core made none
 * @throws what the database throws
 */
export async function completeCart(
  container: MedusaContainer,
  row: { id: string; cart_id: string }
): Promise<{ orderId: string; ended: () => Promise<void> } | { error: unknown }> {
  const begun = await beginCompletion(container, row, { isHeld: true })
  // Core does not wait until its events are out, which takes a moment where they go over a network.
  let onFinish = (): void => undefined
  const told = new Promise<boolean>((resolve) => {
    onFinish = () => {
      resolve(true)
    }
  })
  const { result, errors } = await completeHeldCartWorkflow(container).run({
    input: { id: row.cart_id },
    throwOnError: false,
    events: { onFinish },
  })
  const order = result as { id: string } | undefined
  const [failure] = errors
  if (failure || !order) {
    // Core has rolled back, or could not. What cannot be looked at now stays marked.
    await finishKilledCompletion(container, row.cart_id).catch(() => false)
    return { error: failure?.error ?? new Error("Medusa did not complete the cart.") }
  }
  const ended = async () => {
    const isTold = await Promise.race([told, sleep(LONGEST_TELLING_MS, false, { ref: false })])
    // Else the next one who holds the cart tells of it.
    if (isTold) await begun()
  }
  return { orderId: order.id, ended }
}
