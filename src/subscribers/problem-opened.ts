import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { Modules } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../modules/payment-service"
import { PAYOUT_USERS_CHANGED } from "../payouts/statements/payouts"
import { PROBLEM_OPENED } from "../problems/statements/problems"
import { reasonOf } from "../refusals/reason-of"
import { SETTINGS_CHANGED } from "../settings/statements/settings"

const TITLES: Record<string, string> = {
  [PROBLEM_OPENED]: "Payment needs attention",
  [PAYOUT_USERS_CHANGED]: "Other admins may pay out now",
  [SETTINGS_CHANGED]: "Payment settings were changed",
}

/**
 * Puts a new problem, a change of who may pay out, and one of the settings into the dashboard's feed, if the store has a provider for
 * notifications. The feed keeps one text for all admins and knows no reader's language, so it is English.
 */
export default async function notifyAdmins({
  event,
  container,
}: SubscriberArgs<{ id: string; message: string }>): Promise<void> {
  const module = paymentServiceModule(container)
  try {
    await container.resolve(Modules.NOTIFICATION).createNotifications({
      to: "",
      channel: "feed",
      template: "admin-ui",
      data: { title: TITLES[event.name], description: event.data.message },
      // The event may come more than once, always with the same id.
      idempotency_key: event.data.id,
    })
  } catch (error) {
    module.logger.warn(
      `Payment Service: a notification could not be put into the dashboard's feed: ${reasonOf(error)}`
    )
  }
}

export const config: SubscriberConfig = { event: Object.keys(TITLES) }
