import type { ConfigModule, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { providerIdOf } from "../payments/rules/transaction"
import { isLoopback } from "../service/client"
import { type Code, METHODS, text, type Text } from "../texts"
import type { Accounts } from "./accounts"

/** A sentence about what is wrong in a store's configuration, and what to write there. */
export interface Warning {
  code: Code<"warnings">
  messages: Text
}

/** The parts of a store's configuration, beside the plugin's own options, on which warnings depend. */
export interface StoreFacts {
  /** The provider of Medusa's locks; undefined where there is no locking module. */
  locking?: string | undefined
  /** Our payment providers of `medusa-config.ts`, each with the account that its id names. */
  providers: { id: string; method: (typeof METHODS)[number]; account: string }[]
  /** The address with which the dashboard's payment links begin. */
  storefrontUrl?: string | undefined
}

/** Without a provider, Medusa's locking module silently holds locks in the memory of one process. */
export const IN_MEMORY = "in-memory"

/** The warnings about a store, for its log at the start and for the page Connection. */
export function warningsOf(accounts: Accounts, facts: StoreFacts): Warning[] {
  const { providers } = facts
  const without = providers.filter(({ account }) => !accounts.of(account))
  const incomplete = new Set(
    providers.flatMap(({ account }) => accounts.of(account)?.missing.join(", ") || [])
  )
  return [
    ...(providers.length ? [] : [warning("no_provider")]),
    ...without.map(({ id: provider, account }) =>
      warning("provider_without_account", { provider, account })
    ),
    ...[...incomplete].map((options) => warning("account_incomplete", { options })),
    ...(facts.storefrontUrl ? [] : [warning("no_storefront_url")]),
    ...(process.env.NODE_ENV === "production" ? warningsOfLiveStore(accounts, facts) : []),
  ]
}

/** The warnings that a developer's store does not need, because all of this is right there. */
function warningsOfLiveStore(accounts: Accounts, { locking }: StoreFacts): Warning[] {
  const { backendUrl } = accounts.store
  const addresses = new Set(accounts.named().map(({ options }) => options.baseUrl))
  const local = [...addresses].filter((address) => isLoopback(new URL(address).hostname))
  return [
    ...(locking === IN_MEMORY ? [warning("memory_locking")] : []),
    ...local.map((address) => warning("service_on_this_machine", { address })),
    ...(backendUrl?.startsWith("http:")
      ? [warning("backend_by_http", { address: backendUrl })]
      : []),
  ]
}

const warning = (code: Warning["code"], facts?: Record<string, string>): Warning => ({
  code,
  messages: text("warnings", code, facts),
})

/** @param container that of the store; a module's own lacks what is asked here */
export function storeFacts(container: MedusaContainer): StoreFacts {
  const config = container.resolve<ConfigModule>(ContainerRegistrationKeys.CONFIG_MODULE)
  const locking = container.resolve<{ defaultProviderId?: string } | undefined>(Modules.LOCKING, {
    allowUnregistered: true,
  })
  return {
    locking: locking?.defaultProviderId,
    storefrontUrl: config.admin.storefrontUrl,
    providers: entriesIn(config).flatMap(({ id: account = "" }) =>
      METHODS.map((method) => ({ id: providerIdOf({ method, account }), method, account }))
    ),
  }
}

interface ProviderEntry {
  resolve: unknown
  id?: string
}

const OUR_PROVIDER = /providers\/payment-service(\/index(\.[jt]s)?)?$/

/**
 * The payment providers of ours that `medusa-config.ts` lists. The table of providers is no proof: Medusa leaves one enabled there that
 * was taken out of the file.
 */
function entriesIn({ modules = {} }: ConfigModule): ProviderEntry[] {
  const payment = modules[Modules.PAYMENT] as { options?: { providers?: ProviderEntry[] } } | false
  const providers = (payment && payment.options?.providers) || []
  return providers.filter(({ resolve }) => OUR_PROVIDER.test(String(resolve)))
}
