import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createWorkflow,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"

import type { Placing } from "../../modules/payment-service/placings"
import { beginCompletion, finishKilledCompletion } from "./half-made-orders"
import { holdingCart } from "./holding-cart"

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
 * soon.
 *
 * @returns the order, or why core made none
 * @throws what the locking provider throws when the cart is not free within `waitMs`, or the database
 */
export async function completeCart(
  container: MedusaContainer,
  row: Pick<Placing, "id" | "cart_id">,
  waitMs: number
): Promise<{ orderId: string } | { error: unknown }> {
  return await holdingCart(
    container,
    row.cart_id,
    async () => {
      const ended = await beginCompletion(container, row, { isHeld: true })
      const completed = await runCompletion(container, row.cart_id)
      if ("orderId" in completed) {
        // Else the next one who holds the cart tells of it.
        if (completed.isTold) await ended()
      } else {
        // Core has rolled back, or could not. What cannot be looked at now stays marked.
        await finishKilledCompletion(container, row.cart_id).catch(() => false)
      }
      return completed
    },
    waitMs
  )
}

/** Core does not wait until its events are out, which takes a moment where they go over a network. */
async function runCompletion(
  container: MedusaContainer,
  cartId: string
): Promise<{ orderId: string; isTold: boolean } | { error: unknown }> {
  let onFinish = (): void => undefined
  const told = new Promise<boolean>((resolve) => {
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
  return failure || !order
    ? { error: failure?.error ?? new Error("Medusa did not complete the cart.") }
    : {
        orderId: order.id,
        isTold: await Promise.race([told, sleep(LONGEST_TELLING_MS, false, { ref: false })]),
      }
}
