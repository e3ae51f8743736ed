import { paymentServiceModule } from "../../../../../modules/payment-service"
import { settlePortsOf } from "../../../../../payments"
import { discardPayout, editPayout, person } from "../../../../../payouts"
import { payoutAction, payoutNow, payoutRoute, requireAdmin } from "../payout-route"
import { EditBody } from "../validators"

const LATEST_ENTRIES = { order: { at: "DESC", id: "DESC" }, take: 500 } as const

/** A payout with its journal. */
export const GET = payoutRoute(async (req) => {
  const payout = await payoutNow(req)
  const ofPayout = { payout_id: req.params.id ?? "" }
  const entries = await paymentServiceModule(req.scope).listPayoutEntries(ofPayout, LATEST_ENTRIES)
  const journal = entries.map(
    ({ by, by_name, id, at, kind, facts, address, forwarded_address }) => {
      return { id, at, kind, facts, by: person(by, by_name), address, forwarded_address }
    }
  )
  return { payout, journal: journal.reverse() }
})

/** Changes a draft. */
export const POST = payoutAction(EditBody, editPayout)

/** Discards a draft. */
export const DELETE = payoutRoute(async (req) => {
  const admin = await requireAdmin(req)
  await discardPayout(settlePortsOf(req.scope), req.params.id ?? "", admin)
  return { payout: await payoutNow(req) }
})
