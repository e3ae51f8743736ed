import { model } from "@medusajs/framework/utils"

/** The watcher's last round that had something to do, one row per merchant and address. */
export const WatcherRun = model.define(
  { name: "PaymentServiceWatcherRun", tableName: "payment_service_watcher_run" },
  {
    /** See `merchantAccountId`. */
    id: model.text().primaryKey(),
    finished_at: model.dateTime(),
    settled: model.number(),
    failed: model.number(),
    /** Rounds in a row in which the service answered nothing; the watcher pauses longer each time. */
    silent_passes: model.number(),
    /** Since when the service has answered nothing. */
    silent_since: model.dateTime().nullable(),
    paused_until: model.dateTime().nullable(),
  }
)
