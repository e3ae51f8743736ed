import { discardPayout, editPayout, person } from "../../../../../payouts"
import { actingOf, PAYOUT_BODIES, payoutAction, payoutNow, payoutRoute } from "../payout-route"

const LATEST_ENTRIES = { order: { at: "DESC", id: "DESC" }, take: 500 } as const

export const GET = payoutRoute(async (req, module) => {
  const payout = await payoutNow(req)
  const ofPayout = { payout_id: req.params.id ?? "" }
  const entries = await module.listPayoutEntries(ofPayout, LATEST_ENTRIES)
  const journal = entries.map((entry) => {
    const { id, at, kind, facts, by, by_name, address, forwarded_address } = entry
    return { id, at, kind, facts, by: person(by, by_name), address, forwarded_address }
  })
  return { payout, journal: journal.reverse() }
})

export const POST = payoutAction(PAYOUT_BODIES.edit, editPayout)

export const DELETE = payoutRoute(async (req) => {
  await discardPayout(await actingOf(req), req.params.id ?? "")
  return { payout: await payoutNow(req) }
})
