import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import type { ILockingModule, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../../modules/payment-service"
import { whileRenewing } from "../../modules/payment-service/leases"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { CART_LOCK_MS } from "../../settlement/timing"

/** Core waits for a cart's lock for as long. */
const CART_LOCK_WAIT_MS = 30_000
const CART_LOCK_RETRY_MS = 150
const CART_LOCK_SECONDS = CART_LOCK_MS / 1_000

/** The lock was not free in time. The message is the locking provider's. */
export class LockTimeoutError extends Error {}

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
  const locking = container.resolve<ILockingModule>(Modules.LOCKING)
  const module = paymentServiceModule(container)
  const ownerId = randomUUID()
  const giveUpAt = Date.now() + waitMs
  for (;;) {
    try {
      await module.freeEndedLock(cartId)
      await locking.acquire(cartId, { ownerId, expire: CART_LOCK_SECONDS })
      break
    } catch (error) {
      if (Date.now() >= giveUpAt) throw new LockTimeoutError(reasonOf(error), { cause: error })
      await sleep(CART_LOCK_RETRY_MS)
    }
  }
  const renew = async () => {
    await locking
      .acquire(cartId, { ownerId, expire: CART_LOCK_SECONDS })
      .catch((error: unknown) => {
        // A failed renewal cannot stop the running work.
        module.logger.warn(`Payment Service: cart ${cartId} may be lost: ${reasonOf(error)}`)
      })
  }
  try {
    return await whileRenewing(CART_LOCK_MS / 3, renew, work)
  } finally {
    // The work is done in any case, and the lock expires.
    await locking.release(cartId, { ownerId }).catch((error: unknown) => {
      module.logger.warn(`Payment Service: cart ${cartId} stays locked: ${reasonOf(error)}`)
    })
  }
}
