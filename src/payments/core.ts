import { AsyncLocalStorage } from "node:async_hooks"
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, OrderWorkflowEvents } from "@medusajs/framework/utils"
import {
  createWorkflow,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"

import { whileRenewing } from "../database/leases"
import { coreOf } from "../medusa/core"
import { type CompletedOrder, findUnreserved, listCompletedOrders } from "../medusa/order"
import { whileInRegion } from "../medusa/regions"
import { paymentServiceModule, type TransactionRow } from "../modules/payment-service"
import { problem } from "../problems/rules/problems"
import { subjectOf } from "../problems/statements/problems"
import { reasonOf, refusalOf, refusedPayment } from "../refusals/refused"
import { type Ports, portsOf } from "./ports"
import { CART_LOCK_MS, LONGEST_CHANGE_MS } from "./rules/timing"
import { providerIdOf } from "./rules/transaction"
import { type Completion, COMPLETION_ID, type CompletionMark } from "./statements/transactions"

/** Everything outside that a settle, and a person's actions on problems, use. */
export interface SettlePorts extends Ports {
  core: Core
}

/** The port that changes Medusa for a payment (`medusa/core.ts`), with the locks, completions and events of payments. */
export type Core = ReturnType<typeof lockedCoreOf>

/** The ports of a running store. */
export function settlePortsOf(container: MedusaContainer): SettlePorts {
  const { module, medusa } = portsOf(container)
  return { module, medusa, core: whileLocked(lockedCoreOf(container)) }
}

/** Makes no change of Medusa for work that has lost its lock. */
function whileLocked(core: Core): Core {
  const { hold, ...changes } = core
  const guarded = Object.entries(changes).map(([name, change]) => [
    name,
    async (...input: never[]) => {
      requireLock()
      return await (change as (...input: never[]) => unknown)(...input)
    },
  ])
  return { ...(Object.fromEntries(guarded) as typeof changes), hold }
}

function lockedCoreOf(container: MedusaContainer) {
  return {
    ...coreOf(container),
    /** Runs `work` while nobody else changes the cart, order or collection of this id, see `withCartLock`. */
    hold: <T>(id: string, work: () => Promise<T>, waitMs?: number) =>
      withCartLock(container, id, work, waitMs),
    /** Finishes killed completions of a held cart. */
    finishKilledCompletion: (cartId: string) => finishKilledCompletion(container, cartId),
    /** Completes a held cart. */
    completeCart: (row: TransactionRow, cartId: string) => completeCart(container, row, cartId),
    emitOrderPlaced: (orderId: string, collectionId: string) =>
      emitOrderPlaced(container, orderId, collectionId),
    sendEvents: () => sendEvents(container),
  }
}

const MOST_AT_ONCE = 100

/** Hands the due events to Medusa's event bus. An event that the bus refuses is sent again later. */
export async function sendEvents(container: MedusaContainer): Promise<void> {
  const module = paymentServiceModule(container)
  const bus = container.resolve(Modules.EVENT_BUS)
  for (const { id, name, data } of await module.outbox.claimDue(MOST_AT_ONCE)) {
    try {
      await bus.emit({ name, data }, {})
      await module.outbox.markSent(id)
    } catch (error) {
      module.logger.warn(`Payment Service: event ${id} could not be sent yet: ${reasonOf(error)}`)
    }
  }
}

/** Core waits for a cart's lock for as long. */
const CART_LOCK_WAIT_MS = 30_000
const CART_LOCK_RETRY_MS = 150

/** The lock was not free in time, or was lost. The message is the locking provider's. */
export class LockTimeoutError extends Error {}

/** The lock of the work that is running, with the moment when it expires unless it is renewed. */
const lockOfWork = new AsyncLocalStorage<{ expiresAt: number; failure: string }>()

/**
 * Ends work (`LockTimeoutError`) before it changes anything without its lock: that could not be renewed in time, so somebody else may
 * have it by now.
 */
export function requireLock(): void {
  const lock = lockOfWork.getStore()
  if (lock && Date.now() >= lock.expiresAt) {
    throw new LockTimeoutError(`The lock was lost: ${lock.failure}`)
  }
}

/**
 * Runs `work` while nobody else, on any instance, completes or changes the cart. The key is that of core's own locks on a cart;
 * an order or a collection is locked in the same way.
 *
 * @throws LockTimeoutError when it is not free within `waitMs`
 */
export async function withCartLock<T>(
  container: MedusaContainer,
  cartId: string,
  work: () => Promise<T>,
  waitMs = CART_LOCK_WAIT_MS
): Promise<T> {
  // It uses `acquire`, as core does, because some locking providers' `execute` does not exclude `acquire`.
  const locking = container.resolve(Modules.LOCKING)
  const module = paymentServiceModule(container)
  const ownerId = randomUUID()
  const giveUpAt = Date.now() + waitMs
  const lock = { expiresAt: 0, failure: "its process stood still" }
  const acquire = async () => {
    const expiresAt = Date.now() + CART_LOCK_MS
    await locking.acquire(cartId, { ownerId, expire: CART_LOCK_MS / 1_000 })
    return expiresAt
  }
  for (;;) {
    try {
      lock.expiresAt = await acquire()
      break
    } catch (error) {
      if (await module.freeEndedLock(cartId)) continue
      if (Date.now() >= giveUpAt) throw new LockTimeoutError(reasonOf(error), { cause: error })
      await sleep(CART_LOCK_RETRY_MS)
    }
  }
  const renew = async () => {
    // A lock that was lost once stays lost: taken again, it would hide that somebody else had it meanwhile.
    const isLost = () => Date.now() >= lock.expiresAt
    if (isLost()) return
    try {
      const expiresAt = await acquire()
      if (!isLost()) lock.expiresAt = expiresAt
    } catch (error) {
      lock.failure = reasonOf(error)
      module.logger.warn(`Payment Service: cart ${cartId} may be lost: ${lock.failure}`)
    }
  }
  try {
    return await lockOfWork.run(lock, () =>
      whileRenewing(CART_LOCK_MS / 3, renew, work, LONGEST_CHANGE_MS)
    )
  } finally {
    // Other work that this one has begun, and that nobody waits for, needs the lock no more.
    lock.expiresAt = Infinity
    // The work is done in any case, and the lock expires.
    await locking.release(cartId, { ownerId }).catch((error: unknown) => {
      module.logger.warn(`Payment Service: cart ${cartId} stays locked: ${reasonOf(error)}`)
    })
  }
}

/**
 * Runs `work` while nobody else, on any instance, changes the target of a transaction: its cart, which stays the key of the order
 * that it becomes; an order without a cart; else the payment collection. All payments of one order wait for each other. `work` gets
 * the row as loaded under the lock. It throws as `withCartLock` does.
 */
export async function withTargetLock<T>(
  ports: SettlePorts,
  row: TransactionRow,
  work: (row: TransactionRow) => Promise<T>,
  waitMs?: number
): Promise<T> {
  const { module } = ports
  for (let awaited = row; ;) {
    const key = await targetOf(ports, awaited)
    const done = await ports.core.hold(
      key,
      async () => {
        awaited = await module.transactions.get(row.id)
        // During the wait, a person may have given the row another cart, or its collection may have got a cart or an order.
        return (await targetOf(ports, awaited)) === key ? { result: await work(awaited) } : null
      },
      waitMs
    )
    if (done) return done.result
  }
}

/** The key that core's own workflows lock to complete the cart or change the order. */
async function targetOf(
  ports: SettlePorts,
  { cart_id, payment_collection_id }: TransactionRow
): Promise<string> {
  if (cart_id) return cart_id
  const { orderId, cartId } = await ports.medusa.findOrderAndCartId(payment_collection_id)
  return cartId ?? orderId ?? payment_collection_id
}

/**
 * Core makes an order first, then links it to its cart, reserves stock and uses promotions, asks us for the payment last, and
 * emits `order.placed` at the end. A process that dies in between leaves an order without the rest, and so does core when its own
 * rollback fails. So the row is marked while core completes its cart, and the order carries the completion's id. What a completion
 * left that was not seen to end is looked for before the next attempt, before it is paid, and by the watcher. Nothing is rolled back
 * here: an order that is linked to its cart is the cart's order and takes the money, and a person is told what it lacks. One without
 * that link waits for a person, who takes it for the cart's order or cancels it; the cart is not completed a second time meanwhile.
 */

/** The clocks of process and database may differ this much: an order's id has the first one's time, the mark the second one's. */
const CLOCKS_DIFFER_MS = 60 * 60_000
/** The watcher's wait for a cart's lock; its next pass tries a cart again that stays locked. */
const WATCHERS_WAIT_MS = 1_000

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
 * caller must hold the cart, and have finished what an earlier killed completion left of it. Returns the order's id.
 */
export async function completeCart(
  container: MedusaContainer,
  { id: rowId, ...row }: Pick<TransactionRow, "id" | "method" | "account">,
  cartId: string
): Promise<string> {
  const mark = { id: randomUUID(), isHeld: true }
  const { completionMarks } = paymentServiceModule(container)
  const { completion } = await completionMarks.begin({ id: rowId, cart_id: cartId }, mark)
  const complete = () =>
    completeHeldCartWorkflow(container).run({ input: { id: cartId }, throwOnError: false })
  let { result, errors } = await complete()
  if (errors.some(({ error }) => refusalOf(error).code === "method_disabled")) {
    // The region has lost the method while the payment was open. The money is there, so the cart becomes its order.
    const providerId = providerIdOf(row)
    ;({ result, errors } = await whileInRegion(container, cartId, providerId, complete))
  }
  const order = result as { id: string } | undefined
  const [failure] = errors
  if (!failure && order) return order.id
  // Core has rolled back, or failed to. If that cannot be read now, the mark stays for a later attempt.
  await finishKilledCompletion(container, cartId, completion).catch(() => undefined)
  const cause: unknown = failure?.error ?? new Error("Medusa did not complete the cart.")
  throw new Error(reasonOf(cause), { cause })
}

/**
 * Marks the row before core completes its cart for a shopper's request. Of a cart that has a mark already, it waits so long for the
 * lock, and finishes what an earlier killed completion left.
 */
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
  return await completionMarks.begin(row, { id: randomUUID(), isHeld: false })
}

/**
 * Finishes killed completions of a cart: emits `order.placed` for the order that one has made, and tells what it lacks. The caller
 * must hold the cart, so that nobody is completing it. Core emits the event a moment after it has released the cart, so a whole
 * order with a young mark is left to the watcher.
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
      const unreserved = await findUnreserved(container, order.id)
      const isWhole = completion.isAsked && !unreserved.length
      if (isWhole && !isOld) continue
      if (!isWhole) await tellOf(container, mark, order, unreserved)
      await emitOrderPlaced(container, order.id, collectionId)
    }
    await completionMarks.end(mark)
  }
}

/**
 * Emits `order.placed`, which core does only at the end of a completion, and records that on our rows. The event comes at least
 * once: if this process dies in between, it is emitted again.
 */
export async function emitOrderPlaced(
  container: MedusaContainer,
  orderId: string,
  paymentCollectionId: string
): Promise<void> {
  const module = paymentServiceModule(container)
  await container
    .resolve(Modules.EVENT_BUS)
    .emit({ name: OrderWorkflowEvents.PLACED, data: { id: orderId } }, {})
  await module.completionMarks.recordOrderPlaced(orderId, paymentCollectionId)
}

/** Finishes killed completions that no retry picked up. */
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
async function findOrderOf(
  container: MedusaContainer,
  { cart_id: cartId, completion }: CompletionMark
): Promise<CompletedOrder | undefined> {
  const found = await listCompletedOrders(
    container,
    { [COMPLETION_ID]: completion.id },
    new Date(Date.parse(completion.beganAt) - CLOCKS_DIFFER_MS)
  )
  const unlinked = found.filter((order) => order.cartId === null)
  return (
    found.find((order) => order.cartId === cartId) ??
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
