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
import { coreOf, whileInRegion } from "../medusa/core"
import { holdsPayment, MedusaReader, namesTransaction } from "../medusa/reader"
import type { CompletedOrder, OrderMoney, Session } from "../medusa/reader"
import { paymentServiceModule, type TransactionRow } from "../modules/payment-service"
import { problem } from "../problems/rules/problems"
import { subjectOf } from "../problems/statements/problems"
import { reasonOf, refusalOf, refusedPayment } from "../refusals/refused"
import { isOwed } from "../values/amount"
import { type Ports, portsOf } from "./read-transaction"
import { isClosedSession } from "./rules/decide"
import { CART_LOCK_MS, LONGEST_CHANGE_MS } from "./rules/timing"
import { endOfTimeToPay, isClosed, providerIdOf } from "./rules/transaction"
import { type Completion, COMPLETION_ID, type CompletionMark } from "./statements/transactions"

export type SettlePorts = ReturnType<typeof settlePortsOf>

/** The ports of a running store: `core` changes Medusa for a payment, but not for work that has lost its lock. */
export function settlePortsOf(container: MedusaContainer) {
  const { module, medusa } = portsOf(container)
  const changes = whileLocked({
    ...coreOf(container),
    finishKilledCompletion: finishKilledCompletion.bind(null, container),
    completeCart: completeCart.bind(null, container),
    emitOrderPlaced: emitOrderPlaced.bind(null, container),
    sendEvents: sendEvents.bind(null, container),
  })
  /** Runs `work` while nobody else changes the cart, order or collection of this id, see `withCartLock`. */
  const hold = <T>(id: string, work: () => Promise<T>, waitMs?: number) =>
    withCartLock(container, id, work, waitMs)
  return { module, medusa, core: { ...changes, hold } }
}

function whileLocked<Changes extends object>(changes: Changes): Changes {
  const guarded = Object.entries(changes).map(([name, change]) => [
    name,
    async (...input: never[]) => {
      requireLock()
      return await (change as (...input: never[]) => unknown)(...input)
    },
  ])
  return Object.fromEntries(guarded) as Changes
}

/** Loads Medusa's records of a transaction for `decide`. Once a cart has become an order, only that counts, and no cart is read. */
export async function loadMedusaState(ports: Ports, row: TransactionRow) {
  const { medusa } = ports
  const collectionId = row.payment_collection_id
  const [sessions, order] = await Promise.all([
    medusa.listSessions({ payment_collection_id: collectionId }),
    medusa.findOrderMoney(collectionId),
  ])
  const session = sessionOf(row, sessions)
  const other = sessions.find((one) => one.id !== session?.id && holdsPayment(one))
  return {
    sessions,
    session,
    payment: session?.payment ?? null,
    otherPayment: other?.payment ?? null,
    cart: order ? null : await medusa.findCart(collectionId),
    order: order && {
      ...order,
      // Other payments matter only when this one is over; until then it can pay for the order.
      unpaid: isClosed(row.state) ? await whenUnpaid(ports, row, order) : null,
    },
  }
}

/** The session whose data names the transaction: tabs may share one, and an updated session have another. One with a payment first. */
function sessionOf(row: TransactionRow, sessions: Session[]): Session | null {
  const named = sessions.filter((session) => namesTransaction(session, row))
  return (
    named.find(holdsPayment) ??
    named.find(({ id }) => id === row.session_id) ??
    named[0] ??
    sessions.find(({ id, data }) => id === row.session_id && !data.transaction_id) ??
    null
  )
}

/** The end of an order for which no payment of ours pays any more; see `MedusaState`. */
async function whenUnpaid(
  { module, medusa }: Ports,
  row: TransactionRow,
  order: OrderMoney
): Promise<"cancel" | "tell" | null> {
  if (!isOwed(order.owed)) return null
  const sessions = await medusa.listSessions({ payment_collection_id: order.collectionIds })
  // Our rows are read last: a shopper may choose our way to pay for the order meanwhile.
  const attempts = await module.transactions.inCollections(order.collectionIds)
  const now = module.clock.now()
  if (attempts.some((one) => one.id !== row.id && canBringMoney(one, now))) return null
  // Of our own providers' sessions, our rows show whether they can still be paid.
  const ours = attempts.map(providerIdOf)
  const isOpenElsewhere = sessions.some(
    ({ status, payment, providerId }) =>
      !isClosedSession(status) && !payment && !ours.includes(providerId)
  )
  if (attempts.some((one) => one.deferred_at !== null)) {
    return order.isUntouched && !isOpenElsewhere ? "cancel" : "tell"
  }
  // Core makes an order of a cart only with its payment, so a completion that ended half-way has left this one.
  return row.cart_id === null ? null : "tell"
}

/** Whether a payment can still come of it. A creation without a reply counts for the usual time to pay. */
function canBringMoney(row: TransactionRow, now: Date): boolean {
  const isOpen = row.state === "pending" || row.state === "paid"
  const isUnanswered = row.state === "creating" || row.state === "unknown"
  return !row.handled_at && (isOpen || (isUnanswered && endOfTimeToPay(row) > now))
}

const MOST_AT_ONCE = 100

/** Hands the due events to Medusa's event bus; one that it refuses is sent again later. */
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

/** Core waits as long for a cart's lock. */
const CART_LOCK_WAIT_MS = 30_000
const CART_LOCK_RETRY_MS = 150

/** The lock was not free in time, or was lost. The message is the locking provider's. */
export class LockTimeoutError extends Error {}

/** The lock of the work that is running, with the moment when it expires unless it is renewed. */
const lockOfWork = new AsyncLocalStorage<{ expiresAt: number; failure: string }>()

/** Ends work before it changes anything without its lock, which could not be renewed in time: somebody else may have it by now. */
export function requireLock(): void {
  const lock = lockOfWork.getStore()
  if (lock && Date.now() >= lock.expiresAt) {
    throw new LockTimeoutError(`The lock was lost: ${lock.failure}`)
  }
}

/** Runs `work` while nobody else, on any instance, changes the cart, under core's own key; LockTimeoutError if not free in `waitMs`. */
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
  while (!lock.expiresAt) {
    try {
      lock.expiresAt = await acquire()
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

/** Runs `work` on the row as loaded while nobody else, on any instance, changes its target (`targetOf`). Throws as `withCartLock` does. */
export async function withTargetLock<T>(
  ports: SettlePorts,
  row: TransactionRow,
  work: (row: TransactionRow) => Promise<T>,
  waitMs?: number
): Promise<T> {
  for (let awaited = row; ;) {
    const key = await targetOf(ports, awaited)
    const workIfSame = async () => {
      awaited = await ports.module.transactions.get(row.id)
      // During the wait, a person may have given the row another cart, or its collection may have got a cart or an order.
      return (await targetOf(ports, awaited)) === key ? { result: await work(awaited) } : null
    }
    const done = await ports.core.hold(key, workIfSame, waitMs)
    if (done) return done.result
  }
}

/** The key that core's own workflows lock to complete the cart or change the order. */
async function targetOf({ medusa }: Ports, row: TransactionRow): Promise<string> {
  if (row.cart_id) return row.cart_id
  const { orderId, cartId } = await medusa.findOrderAndCartId(row.payment_collection_id)
  return cartId ?? orderId ?? row.payment_collection_id
}

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
async function completeCart(container: MedusaContainer, row: TransactionRow, cartId: string) {
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
async function emitOrderPlaced(container: MedusaContainer, orderId: string, collectionId: string) {
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
