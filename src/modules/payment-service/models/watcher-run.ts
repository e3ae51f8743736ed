import { model } from "@medusajs/framework/utils"

/** The watcher's last round with something to do; one row per merchant and address. */
export const WatcherRun = model.define(
  { name: "PaymentServiceWatcherRun", tableName: "payment_service_watcher_run" },
  {
    /** See `merchantAccountId`. */
    id: model.text().primaryKey(),
    finished_at: model.dateTime(),
    settled: model.number(),
    failed: model.number(),
    /** Consecutive rounds without any answer of the service; the watcher's pause grows with each. */
    silent_passes: model.number(),
    /** The time since when the service has not answered. */
    silent_since: model.dateTime().nullable(),
    paused_until: model.dateTime().nullable(),
  }
)
