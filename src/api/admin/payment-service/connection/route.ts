import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { listRegions } from "../../../../medusa/regions"
import { findNames } from "../../../../medusa/search"
import type { Accounts, PaymentServiceModuleService } from "../../../../modules/payment-service"
import * as transaction from "../../../../payments/rules/transaction"
import * as problems from "../../../../problems/rules/problems"
import { IN_MEMORY, storeFacts, warningsOf } from "../../../../settings"
import { METHODS } from "../../../../texts"
import { callbackAddress } from "../callback-tokens/route"
import { type Asked, inReadersLanguage } from "../in-readers-language"

/** Shows faults before a customer notices them. It does not call the service, see `POST check`. */
export const GET = inReadersLanguage(async (req: Asked, module) => {
  const accounts = await module.accounts()
  const facts = storeFacts(req.scope)
  const [views, address, callbacks, regions, statuses, watcher, payouts] = await Promise.all([
    accountViews(module, accounts),
    callbackAddress(req, module),
    callbackState(module),
    regionViews(req.scope, accounts),
    statusViews(module, accounts),
    watcherState(module, accounts),
    payoutState(req.scope, accounts),
  ])
  return {
    accounts: views,
    ...address,
    // Locks are shown beside the event bus.
    warnings: warningsOf(accounts, { ...facts, locking: undefined }),
    callbacks,
    regions,
    ...infrastructureOf(req.scope, facts.locking ?? ""),
    ...statuses,
    watcher,
    payouts,
  }
})

async function payoutState(container: MedusaContainer, { store }: Accounts) {
  const { enabled, approval, perDay, users } = store.payouts
  const names = await findNames(container, users)
  const named = users.map((id) => names.get(id) ?? id)
  return { enabled, approval, per_day: perDay ?? null, users: named }
}

async function accountViews(module: PaymentServiceModuleService, accounts: Accounts) {
  const failing = await module.listProblems({ kind: "payments_not_opened", closed_at: null })
  return accounts.named.map(({ id, options }) => {
    const causes = METHODS.map((method) => problems.causeOfFailedOpenings(options, method))
    return {
      id,
      merchant_id: options.merchantId,
      base_url: options.baseUrl,
      has_signing_secret: options.signingSecret !== undefined,
      currencies: options.currencies,
      order_placement: options.orderPlacement,
      opening_problems: failing
        .filter(({ cause }) => causes.includes(cause))
        .map((problem) => ({ id: problem.id, messages: problems.textOf(problem) })),
    }
  })
}

async function callbackState(module: PaymentServiceModuleService) {
  const latest = { order: { last_seen_at: "DESC" }, take: 1 } as const
  const [last_received_at, [unreadable]] = await Promise.all([
    module.callbacks.lastReceivedAt(),
    module.listProblems({ cause: problems.CALLBACK_UNREADABLE }, latest),
  ])
  return {
    last_received_at,
    last_unreadable_at: unreadable?.last_seen_at ?? null,
    problem_id: unreadable && !unreadable.closed_at ? unreadable.id : null,
  }
}

async function regionViews(container: MedusaContainer, accounts: Accounts) {
  const regions = await listRegions(container)
  return regions.map(({ providerIds, ...region }) => ({
    ...region,
    methods: providerIds.flatMap((provider_id) => {
      const parts = transaction.partsOfProvider(provider_id)
      if (!parts) return []
      const account = accounts.find(parts.account)
      const takes_currency = account?.currencies.includes(region.currency) ?? false
      return [{ provider_id, ...parts, has_account: account !== null, takes_currency }]
    }),
  }))
}

async function statusViews(module: PaymentServiceModuleService, accounts: Accounts) {
  const configured = accounts.merchantAccounts()
  const seen = await module.transactionList.statuses()
  const unknown = new Map<string, { merchant_id: string; base_url: string; count: number }>()
  const statuses = seen.flatMap(({ status, count, ...place }) => {
    const id = transaction.merchantAccountId(transaction.merchantAccountOf(place))
    const merchant = configured.find((one) => transaction.merchantAccountId(one) === id)
    if (!merchant) unknown.set(id, { ...place, count: (unknown.get(id)?.count ?? 0) + count })
    if (!merchant || status === null) return []
    const meaning = transaction.meaningOf(status, merchant.accounts[0].statuses)
    return [{ ...place, status, count, meaning }]
  })
  return { statuses, unknown_places: [...unknown.values()] }
}

const MEMORY_BUS = "LocalEventBusService"

function infrastructureOf(container: MedusaContainer, locking: string) {
  const bus = container.resolve<object | undefined>(Modules.EVENT_BUS, { allowUnregistered: true })
  const shown = (name: string) => ({ name, is_shared: !["", MEMORY_BUS, IN_MEMORY].includes(name) })
  return { event_bus: shown(bus?.constructor.name ?? ""), locking: shown(locking) }
}

/** The watcher writes nothing while nothing is due: only work that stays due shows that it does not run. */
export async function watcherState(module: PaymentServiceModuleService, accounts: Accounts) {
  const configured = accounts.merchantAccounts()
  const { transactions, events } = await module.watching.findDueWork(configured)
  const waiting = [transactions, events].flatMap((since) => since?.getTime() ?? [])
  const found = await module.listSilences({ id: configured.map(transaction.merchantAccountId) })
  const silences = configured.flatMap((merchant) => {
    const silence = found.find(({ id }) => id === transaction.merchantAccountId(merchant))
    if (!silence) return []
    const { since, paused_until } = silence
    return [{ merchant_id: merchant.merchantId, base_url: merchant.baseUrl, since, paused_until }]
  })
  return {
    /** When this instance's watcher last asked; null where jobs do not run. */
    looked_at: module.watching.askedAt,
    waiting_since: waiting.length ? new Date(Math.min(...waiting)) : null,
    silences,
  }
}
