import { Modules } from "@medusajs/framework/utils"

import { isLoopback } from "../../service/call"
import { type Code, text, type Text } from "../../texts"
import type { Accounts } from "./accounts"

/** Warnings of settings that no live store should have. */
export interface Warning {
  code: Code<"warnings">
  messages: Text
}

/** The field of Medusa's locking module that names its provider; core's types lack it. */
interface LockingModule {
  defaultProviderId?: string
}

/** Without a provider, Medusa's locking module silently holds locks in the memory of one process. */
const IN_MEMORY = "in-memory"

/** The warnings about a store. There are none outside production, because a developer's store has all of this. */
export function warningsOf(accounts: Accounts, locking?: LockingModule): Warning[] {
  if (process.env.NODE_ENV !== "production") return []
  const { backendUrl } = accounts.store
  const addresses = new Set(accounts.named().map(({ options }) => options.baseUrl))
  const local = [...addresses].filter((address) => isLoopback(new URL(address).hostname))
  return [
    ...(locking?.defaultProviderId === IN_MEMORY ? [warning("memory_locking")] : []),
    ...local.map((address) => warning("service_on_this_machine", { address })),
    ...(backendUrl.startsWith("http:")
      ? [warning("backend_by_http", { address: backendUrl })]
      : []),
  ]
}

const warning = (code: Warning["code"], facts?: Record<string, string>): Warning => ({
  code,
  messages: text("warnings", code, facts),
})

/** The store's locking module, which a module's own container lacks. */
export async function findLockingModule(): Promise<LockingModule | undefined> {
  const { container } = await import("@medusajs/framework")
  return container.resolve<LockingModule | undefined>(Modules.LOCKING, { allowUnregistered: true })
}
