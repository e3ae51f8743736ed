import { PaymentMethodProvider } from "./payment-method-provider"

/** Crypto, paid on the service's web form. */
export class CryptoProvider extends PaymentMethodProvider {
  static override identifier = "crypto"
  protected readonly methodCode = 13
}
