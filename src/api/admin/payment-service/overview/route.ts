import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { daysOf, lastLocalDays, periodBefore } from "../../../../settlement/local-days"
import { comparisonState } from "../comparisons/comparison-view"
import { watcherState } from "../watcher/watcher-state"
import type { OverviewQuery } from "./validators"

const USUAL_DAYS = 7

/** A period compared with the one before it, and everything that waits now; see `Overview`. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const { from, to, time_zone: zone } = req.validatedQuery as OverviewQuery
  const now = module.clock.now()
  const period = from && to ? { from, to } : lastLocalDays(USUAL_DAYS, now, zone)
  const before = periodBefore(period, now, zone)
  const { overview } = module
  const accounts = await module.accounts()
  const days = daysOf(period, zone)
  const [figures, figuresBefore, carts, cartsBefore, timeToPay, timeToPayBefore] =
    await Promise.all([
      overview.figures(days),
      overview.figures(daysOf(before, zone), { paidOnly: true }),
      overview.carts(period),
      overview.carts(before),
      overview.timeToPay(period),
      overview.timeToPay(before),
    ])
  const [waiting, underWay, lastCallbackAt, watcher, comparison] = await Promise.all([
    overview.waitingForPerson(),
    overview.underWay(),
    module.callbacks.lastReceivedAt(),
    watcherState(module, accounts),
    comparisonState(module),
  ])
  const paidOf = (all: typeof figures) =>
    all.flatMap(({ status, ...sum }) => (status === "paid" ? sum : []))
  const totalsOf = <Sum extends { day: string | null }>(sums: Sum[]) =>
    sums.flatMap(({ day, ...sum }) => (day ? [] : sum))
  res.json({
    ...period,
    time_zone: zone,
    before,
    days: days.map(({ day }) => day),
    paid: {
      days: paidOf(figures).filter(({ day }) => day),
      totals: totalsOf(paidOf(figures)),
      before: totalsOf(paidOf(figuresBefore)),
    },
    not_paid: totalsOf(figures).filter(({ status }) => status !== "paid"),
    carts: { ...carts, before: cartsBefore },
    time_to_pay: { ...timeToPay, before: timeToPayBefore },
    waiting,
    under_way: underWay,
    machinery: { last_callback_at: lastCallbackAt, watcher, comparison },
  })
}
