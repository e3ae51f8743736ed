import { model } from "@medusajs/framework/utils"

/** A callback. Its ids and time are kept, but never its body, which proves nothing and may hold the payer's data. */
export const Callback = model
  .define("payment_service_callback", {
    id: model.id({ prefix: "pscb" }).primaryKey(),
    /** Candidate transaction ids found in the body, lower case, at most 10. */
    transaction_ids: model.json(),
    received_at: model.dateTime(),
  })
  .indexes([{ on: ["received_at"] }])

/** Tokens of the callback address. A replaced one works until an admin removes it: the service may still send to the old address. */
export const CallbackToken = model
  .define("payment_service_callback_token", {
    id: model.id({ prefix: "pstok" }).primaryKey(),
    /** SHA-256 in hex. */
    digest: model.text(),
    /** The token itself if it was generated here, so that an admin can read the address; else null. */
    token: model.text().nullable(),
    source: model.enum(["generated", "option"]),
    replaced_at: model.dateTime().nullable(),
    /** When somebody last asked the address with it, to the minute. */
    reached_at: model.dateTime().nullable(),
  })
  .indexes([{ on: ["digest"], unique: true }])

/** An id that a callback named and no transaction had (with `subscriptions.callbacks`): the service is asked for a subscription. */
export const SubscriptionLookup = model
  .define("payment_service_subscription_lookup", {
    /** The service's id, in lower case. */
    id: model.text().primaryKey(),
    /** The time of its last callback, so that one that comes while the service is being asked is not lost. */
    named_at: model.dateTime(),
    due_at: model.dateTime().nullable(),
    found_at: model.dateTime().nullable(),
  })
  .indexes([{ on: ["due_at"] }, { on: ["named_at"] }])
