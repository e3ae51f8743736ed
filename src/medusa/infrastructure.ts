import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

/** Medusa's name for locks in the memory of one process. */
const MEMORY_LOCKING = "in-memory"
/** Medusa's own event bus in the memory of one process. */
const MEMORY_BUS = "LocalEventBusService"

/** The store's modules for events and for locks of carts: where each keeps its state, and whether all instances share it. */
export function infrastructureOf(container: MedusaContainer) {
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
