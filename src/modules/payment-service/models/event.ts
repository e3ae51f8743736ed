import { model } from "@medusajs/framework/utils"

/**
 * Events of the plugin. Each is written in the same statement as the change that it reports, and sent
 * afterwards: at least once, always with the same id.
 */
export const Event = model
  .define(
    { name: "PaymentServiceEvent", tableName: "payment_service_event" },
    {
      id: model.id({ prefix: "psevt" }).primaryKey(),
      name: model.text(),
      data: model.json(),
      written_at: model.dateTime(),
      /** The time to send it, or to send it again if the sender died; null once it is sent. */
      send_at: model.dateTime().nullable(),
    }
  )
  .indexes([{ name: "IDX_payment_service_event_send_at", on: ["send_at"] }])
