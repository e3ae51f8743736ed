import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { coreOf } from "../medusa/core"
import { paymentServiceModule, type TransactionRow } from "../modules/payment-service"
import { reasonOf } from "../refusals/reason-of"
import { completeCart, emitOrderPlaced, finishKilledCompletion } from "./complete-cart"
import { type Ports, portsOf } from "./ports"
import { requireLock, withCartLock } from "./target-lock"

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
