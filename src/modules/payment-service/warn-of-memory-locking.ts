import type { Logger } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

/** The field of Medusa's locking module that names its provider; core's types lack it. */
interface LockingModule {
  defaultProviderId?: string
}

const IN_MEMORY = "in-memory"

/**
 * Warns, once per start and in production only, when Medusa's locking module has no provider: it then silently holds locks in the
 * memory of one process.
 */
export function warnOfMemoryLocking(logger: Pick<Logger, "warn">, locking?: LockingModule): void {
  if (process.env.NODE_ENV !== "production" || locking?.defaultProviderId !== IN_MEMORY) return
  logger.warn(
    "Payment Service: Medusa locks carts in the memory of this process only. As soon as the store runs in more than " +
      "one process (a second server, a worker, or the old one during a deployment), a cart can be completed twice and " +
      "its payment be booked twice. Give the locking module in medusa-config.ts the provider " +
      "@medusajs/medusa/locking-redis or @medusajs/medusa/locking-postgres."
  )
}

/** The store's locking module, which a module's own container lacks. */
export async function findLockingModule(): Promise<LockingModule | undefined> {
  const { container } = await import("@medusajs/framework")
  return container.resolve<LockingModule | undefined>(Modules.LOCKING, { allowUnregistered: true })
}
