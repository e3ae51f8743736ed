import { paymentServiceModule } from "../../../../modules/payment-service"
import { settlePortsOf } from "../../../../payments"
import { makePayout, payoutFilter, payoutViews, recordLostPayouts } from "../../../../payouts"
import type { Asked } from "../in-readers-language"
import type { QueryOf } from "../validators"
import { readBody } from "../../../read-body"
import { actingOf, actingReader, payoutNow, payoutRoute } from "./payout-route"
import { NewPayoutBody } from "./validators"

/** Lists payouts. `count` is exact up to 10,000, where counting ends. */
export const GET = payoutRoute(async (req: Asked<unknown, QueryOf<"payouts">>) => {
  const module = paymentServiceModule(req.scope)
  const { limit, offset, order, with_totals, ...asked } = req.validatedQuery
  const filter = await payoutFilter(req.scope, asked)
  await recordLostPayouts(settlePortsOf(req.scope))
  const accounts = await module.accounts()
  const [reader, [rows, count], totals] = await Promise.all([
    actingReader(req, accounts),
    module.payoutList.pageAndCount(filter, { order, limit, offset }),
    with_totals ? module.payoutList.totals(filter) : null,
  ])
  return {
    payouts: await payoutViews(req.scope, rows, { accounts, reader }),
    count,
    limit,
    offset,
    ...(totals ? { totals } : {}),
  }
})

/** Makes a draft; nothing is sent. */
export const POST = payoutRoute(async (req) => {
  const body = await readBody(req, NewPayoutBody)
  const { id } = await makePayout(await actingOf(req), body)
  return { payout: await payoutNow(req, id) }
})
