import { ONLY_ACCOUNT } from "../../../../payouts"
import { LARGEST_PAYOUT, leftOf, localDay, SMALLEST_PAYOUT } from "../../../../payouts/rules/payout"
import { actingReader, adminOf, grantedOfPayouts, payoutRoute } from "../payouts/payout-route"

/** The rules for payouts, the rest of today's limit, and this admin's rights. It does not call the service. */
export const GET = payoutRoute(async (req, module) => {
  const accounts = await module.accounts()
  const { enabled, approval, perPayout, perDay, timeZone } = accounts.store.payouts
  const [reader, admin, granted, used, stopped] = await Promise.all([
    actingReader(req, accounts),
    adminOf(req),
    grantedOfPayouts(req),
    module.payouts.usedOn(localDay(module.clock.now(), timeZone)),
    module.payouts.stop(),
  ])
  const may = (operation: "create" | "approve") => reader !== null && granted.has(operation)
  return {
    enabled,
    approval,
    stopped,
    accounts: accounts.named.map(({ id, options }) => ({
      account: id ?? ONLY_ACCOUNT,
      merchant_id: options.merchantId,
      has_signing_secret: options.signingSecret !== undefined,
    })),
    limits: {
      per_payout: perPayout,
      per_day: perDay ?? null,
      time_zone: timeZone,
      used_today: used,
      left_today: leftOf(used, perDay),
    },
    // The name that is stored with a payout of this admin.
    me: admin && { id: admin.id, name: admin.name },
    may: { create: may("create"), approve: may("approve") },
    smallest: SMALLEST_PAYOUT,
    largest: LARGEST_PAYOUT,
  }
})
