import { AsyncLocalStorage } from "node:async_hooks"
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { whileRenewing } from "../database/leases"
import { coreOf } from "../medusa/core"
import { paymentServiceModule, type TransactionRow } from "../modules/payment-service"
import { reasonOf } from "../refusals/reason-of"
import { completeCart, emitOrderPlaced, finishKilledCompletion } from "./complete-cart"
import { type Ports, portsOf } from "./ports"
import { CART_LOCK_MS, LONGEST_CHANGE_MS } from "./rules/timing"

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
