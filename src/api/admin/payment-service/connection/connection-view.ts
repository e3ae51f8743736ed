import type { MedusaContainer } from "@medusajs/framework/types"

import { listRegions } from "../../../../medusa/regions"
import type { Accounts, PaymentServiceModuleService } from "../../../../modules/payment-service"
import { accountOfProvider, METHOD_PROVIDERS } from "../../../../providers/payment-service/methods"
import { CALLBACK_UNREADABLE, causeOfFailedOpenings } from "../../../../settlement/cause"
import { merchantAccountId } from "../../../../settlement/merchant-account"
import { textOf } from "../../../../settlement/problems"
import { keptListings } from "../../../../workflows/listings/fetch-listing"
import { meaningAt } from "../service-transactions/merchant-of"

/** The accounts of the options, without secrets, each with the open problems of its methods with which no payment can be opened. */
export async function accountViews(module: PaymentServiceModuleService, accounts: Accounts) {
  const failing = await module.listProblems({ kind: "payments_not_opened", closed_at: null })
  return accounts.named().map(({ id, options }) => {
    const causes = METHOD_PROVIDERS.map(({ identifier }) =>
      causeOfFailedOpenings(options, identifier)
    )
    return {
      id,
      merchant_id: options.merchantId,
      base_url: options.baseUrl,
      has_signing_secret: options.signingSecret !== undefined,
      currencies: options.currencies,
      order_placement: options.orderPlacement,
      opening_problems: failing
        .filter(({ cause }) => causes.includes(cause))
        .map((problem) => ({ id: problem.id, messages: textOf(problem) })),
    }
  })
}

/** The time of the last callback, and of the last one that could not be read. */
export async function callbackState(module: PaymentServiceModuleService) {
  const [last_received_at, [unreadable]] = await Promise.all([
    module.callbacks.lastReceivedAt(),
    module.listProblems(
      { cause: CALLBACK_UNREADABLE },
      { order: { last_seen_at: "DESC" }, take: 1 }
    ),
  ])
  return {
    last_received_at,
    last_unreadable_at: unreadable?.last_seen_at ?? null,
    /** The problem of unreadable callbacks, while it is open. */
    problem_id: unreadable && !unreadable.closed_at ? unreadable.id : null,
  }
}

/** Our payment providers in each region, and whether each has an account. */
export async function regionViews(container: MedusaContainer, accounts: Accounts) {
  const regions = await listRegions(container)
  return regions.map(({ id, name, currency, providerIds }) => ({
    id,
    name,
    currency,
    methods: providerIds.flatMap((providerId) => {
      const accountId = accountOfProvider(providerId)
      if (accountId === null) return []
      const account = accounts.find(accountId)
      return [
        {
          provider_id: providerId,
          method: methodOf(providerId),
          account: accountId,
          has_account: account !== null,
          takes_currency: account?.currencies.includes(currency) ?? false,
        },
      ]
    }),
  }))
}

function methodOf(providerId: string): string {
  const names = METHOD_PROVIDERS.map(({ identifier }) => identifier)
  return names.find((name) => `${providerId}_`.startsWith(`pp_${name}_`)) ?? providerId
}

/**
 * The statuses of our transactions with their meaning by the options, and merchant accounts that no account of the options has.
 */
export async function statusViews(module: PaymentServiceModuleService, accounts: Accounts) {
  const merchants = new Map(
    accounts.merchantAccounts().map((merchant) => [merchantAccountId(merchant), merchant])
  )
  const seen = await module.transactionList.statuses()
  const statuses = seen.flatMap(({ merchantAccount, status, count }) => {
    const merchant = merchants.get(merchantAccount)
    if (!merchant || status === null) return []
    return [{ ...partsOf(merchantAccount), status, count, meaning: meaningAt(merchant, status) }]
  })
  const unknown = new Map<string, number>()
  for (const { merchantAccount, count } of seen) {
    if (!merchants.has(merchantAccount)) {
      unknown.set(merchantAccount, (unknown.get(merchantAccount) ?? 0) + count)
    }
  }
  return {
    statuses,
    unknown_places: [...unknown].map(([id, count]) => ({ ...partsOf(id), count })),
  }
}

/** Statuses in the service's list, as an admin saw it last, that no account of any merchant names; null while no list is kept. */
export function listedStatusView(module: PaymentServiceModuleService, accounts: Accounts) {
  const latest = [...keptListings(module).values()].at(-1)
  const merchants = accounts.merchantAccounts()
  const isUnknown = ({ status }: { status: string }) =>
    merchants.every((merchant) => meaningAt(merchant, status) === "unknown")
  if (!latest) return null
  const statuses = new Map<string, number>()
  for (const { status } of latest.records.filter(isUnknown)) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  return {
    fetched_at: latest.fetchedAt,
    statuses: [...statuses].map(([status, count]) => ({ status, count })),
  }
}

/** The parts of a `merchantAccountId`, which contains only one "@". */
function partsOf(id: string): { merchant_id: string; base_url: string } {
  const at = id.indexOf("@")
  return { merchant_id: id.slice(0, at), base_url: id.slice(at + 1) }
}
