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

/** One class per payment method, so that shoppers choose and admins enable each one per region. */
export const METHOD_PROVIDERS = [SbpProvider, CryptoProvider]

export default ModuleProvider(Modules.PAYMENT, { services: METHOD_PROVIDERS })
