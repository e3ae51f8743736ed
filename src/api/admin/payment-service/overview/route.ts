import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { cartsIn, paidIn, timeToPayIn } from "../../../../settlement/figures"
import { daysOf, lastLocalDays, periodBefore } from "../../../../settlement/local-days"
import { comparisonState } from "../comparisons/comparison-view"
import { watcherState } from "../watcher/watcher-state"
import type { OverviewQuery } from "./validators"

const USUAL_DAYS = 7

/** A period compared with the one before it, and everything that waits now; see `DayFigures` and `Overview`. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const { from, to, time_zone: zone } = req.validatedQuery as OverviewQuery
  const now = module.clock.now()
  const period = from && to ? { from, to } : lastLocalDays(USUAL_DAYS, now, zone)
  const before = periodBefore(period, now, zone)
  const { dayFigures, overview } = module
  const accounts = await module.accounts()
  const days = daysOf(period, zone)
  const daysBefore = daysOf(before, zone)
  const [figures, waiting, underWay, lastCallbackAt, watcher, comparison] = await Promise.all([
    dayFigures.of([...days, ...daysBefore]),
    overview.waitingForPerson(),
    overview.underWay(),
    module.callbacks.lastReceivedAt(),
    watcherState(module, accounts),
    comparisonState(module),
  ])
  const [ofPeriod, ofBefore] = [figures.slice(0, days.length), figures.slice(days.length)]
  res.json({
    ...period,
    time_zone: zone,
    before,
    days: days.map(({ day }) => day),
    paid: {
      days: days.flatMap(({ day }, index) =>
        (ofPeriod[index]?.paid ?? []).map((sum) => ({ day, ...sum }))
      ),
      totals: paidIn(ofPeriod),
      before: paidIn(ofBefore),
    },
    carts: { ...cartsIn(ofPeriod), before: cartsIn(ofBefore) },
    time_to_pay: { ...timeToPayIn(ofPeriod), before: timeToPayIn(ofBefore) },
    waiting,
    under_way: underWay,
    machinery: { last_callback_at: lastCallbackAt, watcher, comparison },
  })
}
