import { daysOf, lastLocalDays, type Period, periodBefore } from "../../../../values/local-days"
import { type AskedOf, inReadersLanguage } from "../in-readers-language"

/** A period compared with the one before it, and everything that waits now; see `Overview`. */
export const GET = inReadersLanguage(async (req: AskedOf<"overview">, { overview, clock }) => {
  const { from, to, time_zone: zone } = req.validatedQuery
  const now = clock.now()
  const period = from && to ? { from, to } : lastLocalDays(7, now, zone)
  const before = periodBefore(period, now, zone)
  const days = daysOf(period, zone)
  const [paid, paidBefore, notPaid, refunds, waiting, underWay] = await Promise.all([
    overview.figures(days, "paid"),
    overview.figures(asOneDay(before), "paid"),
    overview.figures(asOneDay(period), "not_paid"),
    overview.refunds(period),
    overview.waitingForPerson(),
    overview.underWay(),
  ])
  const totalsOf = <Sum extends { day: string | null }>(sums: Sum[]) =>
    sums.flatMap(({ day, ...sum }) => (day ? [] : sum))
  const inOrders = (figures: typeof paid) =>
    figures.flatMap(({ status, ...sum }) => (status === "paid" ? sum : []))
  return {
    ...period,
    time_zone: zone,
    before,
    days: days.map(({ day }) => day),
    paid: {
      days: inOrders(paid).filter(({ day }) => day),
      totals: totalsOf(inOrders(paid)),
      before: totalsOf(inOrders(paidBefore)),
      /** Payments that no order has: they wait for a person, or a person took care of them. */
      apart: totalsOf(paid).filter(({ status }) => status !== "paid"),
      /** Of the period, whenever the payment was. */
      refunds,
    },
    not_paid: totalsOf(notPaid),
    waiting,
    under_way: underWay,
  }
})

const asOneDay = (period: Period) => [{ day: "all", ...period }]
