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

/** All payment methods of the plugin. A new one is added here, and its name to the texts. */
export const METHOD_PROVIDERS = [SbpProvider, CryptoProvider]

/** One class per payment method, so that shoppers choose and admins enable each one per region. */
export default ModuleProvider(Modules.PAYMENT, { services: METHOD_PROVIDERS })
