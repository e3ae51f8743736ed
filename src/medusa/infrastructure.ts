import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

/** The place in which a module of Medusa keeps its state, and whether all instances of the store share it. */
interface Shared {
  name: string
  is_shared: boolean
}

/** Medusa's name for locks in the memory of one process. */
const MEMORY_LOCKING = "in-memory"
/** Medusa's own event bus in the memory of one process. */
const MEMORY_BUS = "LocalEventBusService"

/** The store's modules for events and for locks of carts. */
export function infrastructureOf(container: MedusaContainer): {
  event_bus: Shared
  locking: Shared
} {
  const bus = container.resolve<object | undefined>(Modules.EVENT_BUS, { allowUnregistered: true })
  const locking = container.resolve<{ defaultProviderId?: string } | undefined>(Modules.LOCKING, {
    allowUnregistered: true,
  })
  const busName = bus?.constructor.name ?? ""
  const lockingName = locking?.defaultProviderId ?? ""
  return {
    event_bus: { name: busName, is_shared: busName !== "" && busName !== MEMORY_BUS },
    locking: { name: lockingName, is_shared: lockingName !== "" && lockingName !== MEMORY_LOCKING },
  }
}
