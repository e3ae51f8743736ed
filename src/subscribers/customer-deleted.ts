import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { CustomerWorkflowEvents } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../modules/payment-service"

/** Payments that are still open are erased later, by the daily job. */
export default async function eraseCustomer({ container }: SubscriberArgs): Promise<void> {
  await paymentServiceModule(container).retention.eraseDeletedCustomers()
}

export const config: SubscriberConfig = { event: CustomerWorkflowEvents.DELETED }
