import type { Accounts, PaymentServiceModuleService } from "../../../../modules/payment-service"
import { merchantAccountId } from "../../../../settlement/merchant-account"

/**
 * The state of the watcher. It writes nothing while nothing is due, so its last run may be long ago: only work that stays due
 * shows that it does not run.
 *
 * `looked_at`: when this instance's watcher last asked what is due, null where jobs do not run. `waiting_since`: since when the
 * first payment, callback or event has been due, null when none is. `last_run`: the newest of `places`, which has one entry per
 * configured merchant account that was ever watched.
 */
export async function watcherState(module: PaymentServiceModuleService, accounts: Accounts) {
  const configured = accounts.merchantAccounts()
  const { transactions, events } = await module.watching.findDueWork(configured)
  const waiting = [transactions, events].flatMap((since) => since?.getTime() ?? [])
  const known = new Map(configured.map((merchant) => [merchantAccountId(merchant), merchant]))
  const newest = { take: null, order: { finished_at: "DESC" } } as const
  const rounds = (await module.listWatcherRuns({}, newest)).flatMap(({ id, ...round }) => {
    const merchant = known.get(id)
    const { finished_at, settled, failed, silent_since, paused_until } = round
    const run = { finished_at, settled, failed, silent_since, paused_until }
    return merchant ? [{ merchant_id: merchant.merchantId, base_url: merchant.baseUrl, run }] : []
  })
  return {
    looked_at: module.watching.askedAt,
    waiting_since: waiting.length ? new Date(Math.min(...waiting)) : null,
    last_run: rounds[0]?.run ?? null,
    places: rounds.map(({ run, ...place }) => ({ ...place, ...run })),
  }
}
