import { AsyncLocalStorage } from "node:async_hooks"
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { whileRenewing } from "../database/leases"
import { paymentServiceModule, type TransactionRow } from "../modules/payment-service"
import { reasonOf } from "../refusals/refused"
import type { SettlePorts } from "./ports"
import type { Ports } from "./read-transaction"
import { CART_LOCK_MS, LONGEST_CHANGE_MS } from "./rules/timing"

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
