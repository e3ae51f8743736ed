import { paymentServiceModule } from "../../../../modules/payment-service"
import { settlePortsOf } from "../../../../payments"
import { makePayout, payoutFilter, payoutViews, recordLostPayouts } from "../../../../payouts"
import type { Asked } from "../in-readers-language"
import type { QueryOf } from "../validators"
import { readBody } from "../../../read-body"
import { actingOf, actingReader, PAYOUT_BODIES, payoutNow, payoutRoute } from "./payout-route"

/** Lists payouts. `count` is exact up to 10,000, where counting ends. */
export const GET = payoutRoute(async (req: Asked<unknown, QueryOf<"payouts">>) => {
  const module = paymentServiceModule(req.scope)
  const { limit, offset, order, ...asked } = req.validatedQuery
  const filter = await payoutFilter(req.scope, asked)
  await recordLostPayouts(settlePortsOf(req.scope))
  const accounts = await module.accounts()
  const [reader, [rows, count]] = await Promise.all([
    actingReader(req, accounts),
    module.payoutList.pageAndCount(filter, { order, limit, offset }),
  ])
  return {
    payouts: await payoutViews(req.scope, rows, { accounts, reader }),
    count,
    limit,
    offset,
  }
})

/** Makes a draft; nothing is sent. */
export const POST = payoutRoute(async (req) => {
  const body = await readBody(req, PAYOUT_BODIES.make)
  const { id } = await makePayout(await actingOf(req), body)
  return { payout: await payoutNow(req, id) }
})
