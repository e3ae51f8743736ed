import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import type { INotificationModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, type FlagRouter, Modules } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../modules/payment-service"
import { PAYOUT_USERS_CHANGED } from "../payouts/statements/payouts"
import { notificationOf } from "../problems"
import { OPENING, PROBLEM_CLOSED, PROBLEM_OPENED } from "../problems/statements/problems"
import { reasonOf } from "../refusals/refused"
import { SETTINGS_CHANGED } from "../settings/statements/settings"
import { type Text, text } from "../texts"

/** Core's type lacks what its service takes over from `MedusaService`. */
type Feed = INotificationModuleService & {
  updateNotifications(changes: { id: string; data: object }): Promise<unknown>
  deleteNotifications(ids: string[]): Promise<void>
}

/** Tells problems, and changes of settings or payout users, in the dashboard's feed, if there is one, in the store's language. */
export default async function notifyAdmins({
  event: { name, data },
  container,
}: SubscriberArgs<{ id: string; problem_id?: string; messages?: Text }>): Promise<void> {
  const module = paymentServiceModule(container)
  const problemId = data.problem_id ?? ""
  try {
    const feed = container.resolve<Feed>(Modules.NOTIFICATION)
    const find = (idempotency_key: string) => feed.listNotifications({ idempotency_key } as object)
    if (name === PROBLEM_CLOSED) {
      const told = await find(`${OPENING}${problemId}`)
      if (told.length) await feed.deleteNotifications(told.map(({ id }) => id))
      return
    }
    const { language } = (await module.accounts()).store
    const code = name === SETTINGS_CHANGED ? "settings_changed" : "payout_users_changed"
    const change = {
      title: text("notifications", code)[language],
      description: data.messages?.[language] ?? "",
      whole: null,
    }
    const isProblem = name === PROBLEM_OPENED
    const words = isProblem ? await notificationOf(container, problemId, language) : change
    // The problem is closed by now.
    if (!words) return
    const { title, description, whole } = words
    // The event may come more than once, always with the same id.
    const once = { to: "", channel: "feed", template: "admin-ui", idempotency_key: data.id }
    await feed.createNotifications({ ...once, data: { title, description } })
    // With Medusa's roles, users read the feed who may see neither payments nor customers.
    const flags = container.resolve<FlagRouter>(ContainerRegistrationKeys.FEATURE_FLAG_ROUTER)
    if (!whole || flags.isFeatureEnabled("rbac")) return
    // Core logs what it creates, so a payer's data come afterwards.
    const [told] = await find(data.id)
    if (told) await feed.updateNotifications({ id: told.id, data: { title, description: whole } })
  } catch (error) {
    module.logger.warn(
      `Payment Service: a notification could not be put into the dashboard's feed, or taken out of it: ${reasonOf(error)}`
    )
  }
}

export const config: SubscriberConfig = {
  event: [PROBLEM_OPENED, PROBLEM_CLOSED, PAYOUT_USERS_CHANGED, SETTINGS_CHANGED],
}
