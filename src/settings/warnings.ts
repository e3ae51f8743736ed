import type { ConfigModule, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { providerIdOf } from "../payments/rules/transaction"
import { isLoopback } from "../service/client"
import { type Code, type Facts, METHODS, text, type Text } from "../texts"
import type { Accounts } from "./accounts"

/** Without a provider, Medusa's locking module silently holds locks in the memory of one process. */
export const IN_MEMORY = "in-memory"

/** For a store's log at the start and for the page Connection. */
export function warningsOf(accounts: Accounts, { providers, locking, storefrontUrl }: StoreFacts) {
  const warnings: { code: Code<"warnings">; messages: Text }[] = []
  const warn = (code: Code<"warnings">, facts?: Facts) =>
    warnings.push({ code, messages: text("warnings", code, facts) })
  if (!providers.length) warn("no_provider")
  const missing = new Set<string>()
  for (const { id: provider, account } of providers) {
    const found = accounts.of(account)
    if (!found) warn("provider_without_account", { provider, account })
    else if (found.missing.length) missing.add(found.missing.join(", "))
  }
  for (const options of missing) warn("account_incomplete", { options })
  if (!storefrontUrl) warn("no_storefront_url")
  // The others are right in a developer's store.
  if (process.env.NODE_ENV !== "production") return warnings
  if (locking === IN_MEMORY) warn("memory_locking")
  for (const address of new Set(accounts.named.map(({ options }) => options.baseUrl))) {
    if (isLoopback(new URL(address).hostname)) warn("service_on_this_machine", { address })
  }
  const { backendUrl: address = "" } = accounts.store
  if (address.startsWith("http:")) warn("backend_by_http", { address })
  return warnings
}

const OUR_PROVIDER = /providers\/payment-service(\/index(\.[jt]s)?)?$/
interface Payment {
  options?: { providers?: { resolve: unknown; id?: string }[] }
}

export type StoreFacts = ReturnType<typeof storeFacts>
/**
 * The parts of a store's configuration, beside the plugin's own options, on which warnings depend.
 *
 * @param container that of the store; a module's own lacks what is asked here
 */
export function storeFacts(container: MedusaContainer) {
  const config = container.resolve<ConfigModule>(ContainerRegistrationKeys.CONFIG_MODULE)
  const locking = container.resolve<{ defaultProviderId?: string } | undefined>(Modules.LOCKING, {
    allowUnregistered: true,
  })
  // The table of providers is no proof: Medusa leaves one enabled there that was taken out of the file.
  const payment = config.modules?.[Modules.PAYMENT] as Payment | false | undefined
  const listed = (payment && payment.options?.providers) || []
  return {
    /** The provider of Medusa's locks; undefined where there is no locking module. */
    locking: locking?.defaultProviderId,
    storefrontUrl: config.admin.storefrontUrl,
    /** Our payment providers of `medusa-config.ts`, each with the account that its id names. */
    providers: listed
      .filter(({ resolve }) => OUR_PROVIDER.test(String(resolve)))
      .flatMap(({ id: account = "" }) =>
        METHODS.map((method) => ({ id: providerIdOf({ method, account }), method, account }))
      ),
  }
}
