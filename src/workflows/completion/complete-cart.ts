import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createWorkflow,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"

import { reasonOf } from "../../modules/payment-service/reason-of"
import { beginCompletion } from "./half-made-orders"

/**
 * As a step of another workflow, core's completion takes no lock of its own, which would outlive a dead process by two minutes.
 * The caller must hold the cart.
 */
const completeHeldCartWorkflow = createWorkflow(
  "payment-service-complete-held-cart",
  (input: WorkflowData<{ id: string }>) =>
    new WorkflowResponse(completeCartWorkflow.runAsStep({ input }))
)

const LONGEST_WAIT_FOR_EVENTS_MS = 5_000

/**
 * Completes a cart as core does, with a mark on the transaction's row, by which a dead process's half-made order is found. The
 * caller must hold the cart.
 *
 * @returns the order, and `ended`, to be called after its payment is booked
 * @throws core's refusal
 */
export async function completeCart(
  container: MedusaContainer,
  rowId: string,
  cartId: string
): Promise<{ orderId: string; ended: () => Promise<void> }> {
  const { end, check } = await beginCompletion(
    container,
    { id: rowId, cart_id: cartId },
    { isHeld: true }
  )
  // Core's workflow ends before its events are sent, which takes a moment over a network.
  let onFinish = (): void => undefined
  const eventsSent = new Promise<boolean>((resolve) => {
    onFinish = () => {
      resolve(true)
    }
  })
  const { result, errors } = await completeHeldCartWorkflow(container).run({
    input: { id: cartId },
    throwOnError: false,
    events: { onFinish },
  })
  const order = result as { id: string } | undefined
  const [failure] = errors
  if (failure || !order) {
    // Core has rolled back, or failed to. If that cannot be read now, the mark stays for a later attempt.
    await check().catch(() => undefined)
    const cause: unknown = failure?.error ?? new Error("Medusa did not complete the cart.")
    throw new Error(reasonOf(cause), { cause })
  }
  const ended = async () => {
    const areEventsSent = await Promise.race([
      eventsSent,
      sleep(LONGEST_WAIT_FOR_EVENTS_MS, false, { ref: false }),
    ])
    // Otherwise the mark stays, and the watcher or a later attempt emits `order.placed`.
    if (areEventsSent) await end()
  }
  return { orderId: order.id, ended }
}
