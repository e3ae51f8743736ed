import { ModuleProvider, Modules } from "@medusajs/framework/utils"

import { PaymentMethodProvider } from "./payment-method-provider"

/** Instant bank transfer by QR; the service calls it `SBPQR`. */
class SbpProvider extends PaymentMethodProvider {
  static override identifier = "sbp"
  protected readonly methodCode = 2
}

/** Crypto, paid on the service's web form. */
class CryptoProvider extends PaymentMethodProvider {
  static override identifier = "crypto"
  protected readonly methodCode = 13
}

/** All payment methods of the plugin; a new one is added only here. */
export const METHOD_PROVIDERS = [SbpProvider, CryptoProvider]

/** One class per payment method, so that shoppers choose and admins enable each one per region. */
export default ModuleProvider(Modules.PAYMENT, { services: METHOD_PROVIDERS })

/**
 * The method and the account in one of our provider ids, which core builds as `pp_<method>_<id>`; null when the provider is not
 * ours.
 */
export function partsOfProvider(providerId: unknown): { method: string; account: string } | null {
  if (typeof providerId !== "string") return null
  for (const { identifier: method } of METHOD_PROVIDERS) {
    const prefix = `pp_${method}`
    if (providerId === prefix) return { method, account: "" }
    if (providerId.startsWith(`${prefix}_`)) {
      return { method, account: providerId.slice(prefix.length + 1) }
    }
  }
  return null
}
