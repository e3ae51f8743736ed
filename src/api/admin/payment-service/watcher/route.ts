import {
  type Accounts,
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../../../modules/payment-service"
import { merchantAccountId } from "../../../../payments/rules/transaction"
import { inReadersLanguage } from "../in-readers-language"

export const GET = inReadersLanguage(async (req) => {
  const module = paymentServiceModule(req.scope)
  return await watcherState(module, await module.accounts())
})

/**
 * The watcher writes nothing while nothing is due: only work that stays due shows that it does not run. `looked_at` is when this
 * instance's watcher last asked (null where jobs do not run), `waiting_since` since when the first work has been due.
 */
export async function watcherState(module: PaymentServiceModuleService, accounts: Accounts) {
  const configured = accounts.merchantAccounts()
  const { transactions, events } = await module.watching.findDueWork(configured)
  const waiting = [transactions, events].flatMap((since) => since?.getTime() ?? [])
  const found = await module.listSilences({ id: configured.map(merchantAccountId) })
  const silences = configured.flatMap((merchant) => {
    const silence = found.find(({ id }) => id === merchantAccountId(merchant))
    if (!silence) return []
    const { since, paused_until } = silence
    return [{ merchant_id: merchant.merchantId, base_url: merchant.baseUrl, since, paused_until }]
  })
  return {
    looked_at: module.watching.askedAt,
    waiting_since: waiting.length ? new Date(Math.min(...waiting)) : null,
    silences,
  }
}
