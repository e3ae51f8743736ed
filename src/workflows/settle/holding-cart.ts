import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import type { ILockingModule, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"

/** As core waits for a cart and holds it. */
const CART_LOCK_WAIT_MS = 30_000
const CART_LOCK_RETRY_MS = 300
const CART_LOCK_SECONDS = 120

/**
 * Core books a capture on the order as the last step of a completion: not while one is under way, or it
 * would be booked twice. The key is the one that core's own workflows lock a cart with.
 */
export async function holdingCart<T>(
  container: MedusaContainer,
  cartId: string | null,
  work: () => Promise<T>,
  waitMs = CART_LOCK_WAIT_MS
): Promise<T> {
  if (!cartId) {
    return await work()
  }
  // Taken as core takes it: not every locking provider's `execute` excludes its `acquire`.
  const locking = container.resolve<ILockingModule>(Modules.LOCKING)
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const ownerId = randomUUID()
  const giveUpAt = Date.now() + waitMs
  for (;;) {
    try {
      await module.freeEndedLock(cartId)
      await locking.acquire(cartId, { ownerId, expire: CART_LOCK_SECONDS })
      break
    } catch (error) {
      if (Date.now() >= giveUpAt) throw error
      await sleep(CART_LOCK_RETRY_MS)
    }
  }
  try {
    return await work()
  } finally {
    await locking.release(cartId, { ownerId })
  }
}
