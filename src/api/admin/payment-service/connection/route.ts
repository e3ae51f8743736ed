import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { infrastructureOf } from "../../../../medusa/infrastructure"
import { paymentServiceModule } from "../../../../modules/payment-service"
import { callbackAddress } from "../callback-tokens/callback-address"
import { watcherState } from "../watcher/watcher-state"
import {
  accountViews,
  callbackState,
  listedStatusView,
  regionViews,
  statusViews,
} from "./connection-view"

/** Shows faults before a customer notices them. It does not call the service, see `POST check`. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const accounts = await module.accounts()
  const [views, address, callbacks, regions, statuses, watcher] = await Promise.all([
    accountViews(module, accounts),
    callbackAddress(module, accounts),
    callbackState(module),
    regionViews(req.scope, accounts),
    statusViews(module, accounts),
    watcherState(module, accounts),
  ])
  res.json({
    accounts: views,
    ...address,
    callbacks,
    regions,
    ...infrastructureOf(req.scope),
    ...statuses,
    listed_statuses: listedStatusView(module, accounts),
    watcher,
  })
}
