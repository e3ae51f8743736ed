import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, OrderWorkflowEvents } from "@medusajs/framework/utils"
import {
  createWorkflow,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"

import { whileInRegion } from "../medusa/core"
import { type CompletedOrder, MedusaReader } from "../medusa/reader"
import { paymentServiceModule, type TransactionRow } from "../modules/payment-service"
import { problem } from "../problems/rules/problems"
import { subjectOf } from "../problems/statements/problems"
import { reasonOf, refusalOf, refusedPayment } from "../refusals/refused"
import { providerIdOf } from "./rules/transaction"
import { type Completion, COMPLETION_ID, type CompletionMark } from "./statements/transactions"
import { withCartLock } from "./target-lock"

/** The clocks of process and database may differ this much: an order has the first one's time, the mark the second one's. */
const CLOCKS_DIFFER_MS = 60 * 60_000
/** The watcher's wait for a cart's lock; its next pass tries a cart again that stays locked. */
const WATCHERS_WAIT_MS = 1_000

/** As a step of another workflow, core's completion takes no lock of its own, which would outlive a dead process by two minutes. */
const completeHeldCartWorkflow = createWorkflow(
  "payment-service-complete-held-cart",
  (input: WorkflowData<{ id: string }>) =>
    new WorkflowResponse(completeCartWorkflow.runAsStep({ input }))
)

/**
 * Completes a cart as core does, and returns the order's id. The caller must hold the cart, and have finished what an earlier killed
 * completion left of it. Core makes the order first and asks us for the payment last: a process that dies in between, or a failed
 * rollback of core, leaves an order without the rest. So the row is marked meanwhile, and the order carries the completion's id.
 */
export async function completeCart(
  container: MedusaContainer,
  row: TransactionRow,
  cartId: string
) {
  const { completionMarks } = paymentServiceModule(container)
  const { completion } = await completionMarks.begin({ id: row.id, cart_id: cartId }, true)
  const complete = () =>
    completeHeldCartWorkflow(container).run({ input: { id: cartId }, throwOnError: false })
  let { result, errors } = await complete()
  if (errors.some(({ error }) => refusalOf(error).code === "method_disabled")) {
    // The region has lost the method while the payment was open. The money is there, so the cart becomes its order.
    ;({ result, errors } = await whileInRegion(container, cartId, providerIdOf(row), complete))
  }
  const order = result as { id: string } | undefined
  const [failure] = errors
  if (!failure && order) return order.id
  // Core has rolled back, or failed to. If that cannot be read now, the mark stays for a later attempt.
  await finishKilledCompletion(container, cartId, completion).catch(() => undefined)
  const cause: unknown = failure?.error ?? new Error("Medusa did not complete the cart.")
  throw new Error(reasonOf(cause), { cause })
}

/** Marks a shopper's completion before core begins it. What an earlier, killed completion of the cart left is finished first. */
export async function beginCompletion(
  container: MedusaContainer,
  row: { id: string; cart_id: string },
  waitMs?: number
): Promise<CompletionMark> {
  const { completionMarks } = paymentServiceModule(container)
  if ((await completionMarks.find(row.cart_id)).length) {
    const finish = () => finishKilledCompletion(container, row.cart_id)
    await withCartLock(container, row.cart_id, finish, waitMs)
  }
  return await completionMarks.begin(row, false)
}

/**
 * Finishes killed completions of a cart. The caller must hold the cart, so that nobody is completing it. Nothing is rolled back: an
 * order that is linked to its cart takes the money, its `order.placed` is emitted, and a person is told what it lacks. One without
 * that link waits for a person, who takes it for the cart's order or cancels it; the cart is not completed again meanwhile. Core emits
 * the event a moment after it has released the cart, so a whole order with a young mark is left to the watcher.
 *
 * @param over the completion that core has ended in this process
 * @throws MedusaError `NOT_ALLOWED` when an order is left that is not linked to the cart
 */
export async function finishKilledCompletion(
  container: MedusaContainer,
  cartId: string,
  over?: Completion
): Promise<void> {
  const { completionMarks } = paymentServiceModule(container)
  for (const mark of await completionMarks.find(cartId)) {
    const { completion, isOld, payment_collection_id: collectionId } = mark
    const order = await findOrderOf(container, mark)
    if (!order) {
      // The completion of a young mark may still wait for the cart.
      if (!isOld && completion.beganAt !== over?.beganAt) continue
    } else if (order.canceled_at) {
      if (order.cartId === null) {
        // A killed core may have linked it to the collection alone, which the cart needs again.
        await container.resolve(ContainerRegistrationKeys.LINK).dismiss({
          [Modules.ORDER]: { order_id: order.id },
          [Modules.PAYMENT]: { payment_collection_id: collectionId },
        })
      }
    } else if (order.cartId === null) {
      await tellOf(container, mark, order)
      await completionMarks.note(cartId, { isReported: true })
      throw refusedPayment("order_half_made", { order: `#${order.display_id}` })
    } else {
      // A rollback that core has broken off may have freed stock although core had come to the end.
      const unreserved = await new MedusaReader(container).findUnreserved(order.id)
      const isWhole = completion.isAsked && !unreserved.length
      if (isWhole && !isOld) continue
      if (!isWhole) await tellOf(container, mark, order, unreserved)
      await emitOrderPlaced(container, order.id, collectionId)
    }
    await completionMarks.end(mark)
  }
}

/** Emits `order.placed`, and records that on our rows. If this process dies in between, it is emitted again. */
export async function emitOrderPlaced(
  container: MedusaContainer,
  orderId: string,
  collectionId: string
) {
  const event = { name: OrderWorkflowEvents.PLACED, data: { id: orderId } }
  await container.resolve(Modules.EVENT_BUS).emit(event, {})
  const { completionMarks } = paymentServiceModule(container)
  await completionMarks.recordOrderPlaced(orderId, collectionId)
}

export async function finishCompletions(container: MedusaContainer): Promise<void> {
  const { completionMarks, logger } = paymentServiceModule(container)
  for (const cartId of await completionMarks.findUnfinished()) {
    const finish = () => finishKilledCompletion(container, cartId)
    await withCartLock(container, cartId, finish, WATCHERS_WAIT_MS).catch((error: unknown) => {
      logger.warn(`Payment Service: cart ${cartId} could not be looked at: ${reasonOf(error)}`)
    })
  }
}

/** The order with this completion's id: the cart's, else one that is linked to no cart, canceled last. */
async function findOrderOf(container: MedusaContainer, { cart_id, completion }: CompletionMark) {
  const since = new Date(Date.parse(completion.beganAt) - CLOCKS_DIFFER_MS)
  const found = await new MedusaReader(container).listCompletedOrders(
    { [COMPLETION_ID]: completion.id },
    since
  )
  const unlinked = found.filter((order) => order.cartId === null)
  return (
    found.find((order) => order.cartId === cart_id) ??
    unlinked.find((order) => !order.canceled_at) ??
    unlinked[0]
  )
}

async function tellOf(
  container: MedusaContainer,
  { id, cart_id: cart }: CompletionMark,
  { id: order, display_id, cartId }: CompletedOrder,
  unreserved: string[] = []
): Promise<void> {
  const { problems, transactions } = paymentServiceModule(container)
  const facts = { order, name: `#${display_id}`, cart, isLinked: cartId !== null, unreserved }
  const subject = { ...subjectOf(await transactions.get(id)), order_id: order }
  await problems.report(problem("order_half_made", facts), subject)
}
