import { methodOf, type Method } from "medusa-payment-sbp-crypto-storefront"
import { config } from "../config"
import { sdk } from "../medusa"

export interface PaymentMethod {
  providerId: string
  method: Method
}

/** The plugin's methods that are switched on in the region, SBP first. */
export async function listMethods(): Promise<PaymentMethod[]> {
  const { payment_providers: providers } = await sdk.store.payment.listPaymentProviders({
    region_id: config.regionId,
  })
  return providers
    .flatMap(({ id }) => {
      const method = methodOf(id)
      return method ? [{ providerId: id, method }] : []
    })
    .sort((a, b) => b.method.localeCompare(a.method))
}
