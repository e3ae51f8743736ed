import { model } from "@medusajs/framework/utils"

/**
 * An id that a callback named and that no transaction had, while the option `subscriptions.callbacks` is on. The service is asked
 * whether it is a subscription.
 */
export const SubscriptionLookup = model
  .define(
    { name: "PaymentServiceSubscriptionLookup", tableName: "payment_service_subscription_lookup" },
    {
      /** The service's id, in lower case. */
      id: model.text().primaryKey(),
      named_at: model.dateTime(),
      /** Counts the callbacks with this id, so that one that comes while the service is being asked is not lost. */
      named_times: model.number(),
      /** The time to ask the service, or to ask again if the asking process died; null while there is nothing to ask. */
      due_at: model.dateTime().nullable(),
      /** The number of failed questions since the last answer. */
      tries: model.number().default(0),
      /** The time when the service first answered with a subscription; null until then. */
      found_at: model.dateTime().nullable(),
      /** The merchant (`merchantAccountId`) of the subscription, once it is found. */
      merchant: model.text().nullable(),
      /** The merchants for which the service does not know it. */
      unknown_to: model.json(),
    }
  )
  .indexes([
    { name: "IDX_payment_service_subscription_lookup_due_at", on: ["due_at"] },
    { name: "IDX_payment_service_subscription_lookup_named_at", on: ["named_at"] },
  ])
