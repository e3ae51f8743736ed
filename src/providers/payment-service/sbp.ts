import { PaymentMethodProvider } from "./payment-method-provider"

/** Instant bank transfer by QR; the service calls it `SBPQR`. */
export class SbpProvider extends PaymentMethodProvider {
  static override identifier = "sbp"
  protected readonly methodCode = 2
}
