import { makePayout, payoutFilter } from "../../../../payouts"
import { type AskedOf, maySeeCustomers } from "../in-readers-language"
import { readBody } from "../../../read-body"
import { actingOf, PAYOUT_BODIES, payoutNow, payoutRoute, payoutsFor } from "./payout-route"

/** Lists payouts. `count` is exact up to 10,000, where counting ends. */
export const GET = payoutRoute(async (req: AskedOf<"payouts">, module) => {
  const { limit, offset, order, ...asked } = req.validatedQuery
  const filter = await payoutFilter(req.scope, asked, await maySeeCustomers(req))
  const [rows, count] = await module.payoutList.pageAndCount(filter, { order, limit, offset })
  return { payouts: await payoutsFor(req, rows), count, limit, offset }
})

export const POST = payoutRoute(async (req) => {
  const body = await readBody(req, PAYOUT_BODIES.make)
  const { id } = await makePayout(await actingOf(req), body)
  return { payout: await payoutNow(req, id) }
})
