import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../../../modules/payment-service"

/** The watcher's last pass, on whichever instance it ran: `{ last_run }`, null before the first one. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const module = req.scope.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const run = await module.lastWatcherRun()
  res.json({
    last_run: run && {
      finished_at: run.finished_at,
      settled: run.settled,
      failed: run.failed,
      silent_since: run.silent_since,
      paused_until: run.paused_until,
    },
  })
}
