import { model } from "@medusajs/framework/utils"

/** One save of the page Settings. Rows are only ever added; the newest of an account counts, so the list is the history, too. */
export const Settings = model
  .define(
    { name: "settings", tableName: "payment_service_settings" },
    {
      id: model.id({ prefix: "psset" }).primaryKey(),
      /** The id of an account, or "" for what all of them share, and for the store. */
      account: model.text(),
      /** Counts the saves of this account from 1, so that of two at once one is refused. */
      version: model.number(),
      /** All that is set then, by the options' names; without secrets. */
      options: model.json(),
      /** Secrets by the options' names, sealed, each with who set it and when. */
      secrets: model.json(),
      by: model.text(),
      by_name: model.text(),
      at: model.dateTime(),
    }
  )
  .indexes([{ on: ["account", "version"], unique: true }])
