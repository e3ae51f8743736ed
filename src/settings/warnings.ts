import type { ConfigModule, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { providerIdOf } from "../payments/rules/transaction"
import { isLoopback } from "../service/client"
import { type Code, METHODS, text } from "../texts"
import type { Accounts } from "./accounts"

/** The parts of a store's configuration, beside the plugin's own options, on which warnings depend. */
export interface StoreFacts {
  /** The provider of Medusa's locks; undefined where there is no locking module. */
  locking?: string | undefined
  /** Our payment providers of `medusa-config.ts`, each with the account that its id names. */
  providers: { id: string; method: (typeof METHODS)[number]; account: string }[]
  storefrontUrl?: string | undefined
}

/** Without a provider, Medusa's locking module silently holds locks in the memory of one process. */
export const IN_MEMORY = "in-memory"

/** For a store's log at the start and for the page Connection. */
export function warningsOf(accounts: Accounts, { providers, locking, storefrontUrl }: StoreFacts) {
  const without = providers.filter(({ account }) => !accounts.of(account))
  const incomplete = new Set(
    providers.flatMap(({ account }) => accounts.of(account)?.missing.join(", ") || [])
  )
  const warnings = [
    ...(providers.length ? [] : [warning("no_provider")]),
    ...without.map(({ id: provider, account }) =>
      warning("provider_without_account", { provider, account })
    ),
    ...[...incomplete].map((options) => warning("account_incomplete", { options })),
    ...(storefrontUrl ? [] : [warning("no_storefront_url")]),
  ]
  // The others are right in a developer's store.
  if (process.env.NODE_ENV !== "production") return warnings
  if (locking === IN_MEMORY) warnings.push(warning("memory_locking"))
  for (const address of new Set(accounts.named().map(({ options }) => options.baseUrl))) {
    const isHere = isLoopback(new URL(address).hostname)
    if (isHere) warnings.push(warning("service_on_this_machine", { address }))
  }
  const { backendUrl: address = "" } = accounts.store
  if (address.startsWith("http:")) warnings.push(warning("backend_by_http", { address }))
  return warnings
}

/** A sentence about what is wrong in a store's configuration, and what to write there. */
const warning = (code: Code<"warnings">, facts?: Record<string, string>) => ({
  code,
  messages: text("warnings", code, facts),
})

const OUR_PROVIDER = /providers\/payment-service(\/index(\.[jt]s)?)?$/
interface Payment {
  options?: { providers?: { resolve: unknown; id?: string }[] }
}

/** @param container that of the store; a module's own lacks what is asked here */
export function storeFacts(container: MedusaContainer): StoreFacts {
  const config = container.resolve<ConfigModule>(ContainerRegistrationKeys.CONFIG_MODULE)
  const locking = container.resolve<{ defaultProviderId?: string } | undefined>(Modules.LOCKING, {
    allowUnregistered: true,
  })
  // The table of providers is no proof: Medusa leaves one enabled there that was taken out of the file.
  const payment = config.modules?.[Modules.PAYMENT] as Payment | false | undefined
  const listed = (payment && payment.options?.providers) || []
  return {
    locking: locking?.defaultProviderId,
    storefrontUrl: config.admin.storefrontUrl,
    providers: listed
      .filter(({ resolve }) => OUR_PROVIDER.test(String(resolve)))
      .flatMap(({ id: account = "" }) =>
        METHODS.map((method) => ({ id: providerIdOf({ method, account }), method, account }))
      ),
  }
}
