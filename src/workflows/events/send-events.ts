import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"

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
