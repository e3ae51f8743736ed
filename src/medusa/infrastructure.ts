import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

/** The place where a module of Medusa keeps its state, and whether all instances of the store share that. */
export interface Shared {
  name: string
  is_shared: boolean
}

/** The name by which Medusa registers locks in the memory of one process. */
const MEMORY_LOCKING = "in-memory"
/** Medusa's own event bus in the memory of one process. */
const MEMORY_BUS = "LocalEventBusService"

/** The modules by which the store delivers events and locks carts. */
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
