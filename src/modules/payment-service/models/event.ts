import { model } from "@medusajs/framework/utils"

/**
 * Events of the plugin, written down with what they tell of and sent afterwards: at least once, under an
 * id that stays the same.
 */
export const Event = model
  .define(
    { name: "PaymentServiceEvent", tableName: "payment_service_event" },
    {
      id: model.id({ prefix: "psevt" }).primaryKey(),
      name: model.text(),
      data: model.json(),
      written_at: model.dateTime(),
      /** When to send it, and again if the sender dies; null once it is sent. */
      send_at: model.dateTime().nullable(),
    }
  )
  .indexes([{ name: "IDX_payment_service_event_send_at", on: ["send_at"] }])
