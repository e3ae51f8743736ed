import { model } from "@medusajs/framework/utils"

/**
 * An id that a callback named and that no transaction had, while the option `subscriptions.callbacks` is on: the
 * service is asked whether it is a subscription.
 */
export const SubscriptionLookup = model
  .define(
    { name: "PaymentServiceSubscriptionLookup", tableName: "payment_service_subscription_lookup" },
    {
      /** The service's id, in lower case. */
      id: model.text().primaryKey(),
      named_at: model.dateTime(),
      /** Counts its callbacks, so that one that comes while the service is being asked is not lost. */
      named_times: model.number(),
      /** When to ask the service, and again if whoever asks dies; null while there is nothing to ask. */
      due_at: model.dateTime().nullable(),
      /** How often it was asked in vain since the last answer. */
      tries: model.number().default(0),
      /** When the service first answered with a subscription; null while it has not. */
      found_at: model.dateTime().nullable(),
      /** The merchant (`merchantAccountId`) that the subscription belongs to, once it is found. */
      merchant: model.text().nullable(),
      /** The merchants at which the service does not know it. */
      unknown_to: model.json(),
    }
  )
  .indexes([
    { name: "IDX_payment_service_subscription_lookup_due_at", on: ["due_at"] },
    { name: "IDX_payment_service_subscription_lookup_named_at", on: ["named_at"] },
  ])
