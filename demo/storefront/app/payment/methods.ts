import { config } from "../config"
import { sdk, type Cart } from "../medusa"

export type Method = "sbp" | "crypto"

export interface PaymentMethod {
  providerId: string
  method: Method
}

/** The method behind one of the plugin's provider ids, `pp_sbp_<account>` or `pp_crypto_<account>`; null for others. */
export function methodOf(providerId: string): Method | null {
  if (providerId.startsWith("pp_sbp_")) {
    return "sbp"
  }
  return providerId.startsWith("pp_crypto_") ? "crypto" : null
}

/** The plugin's methods that are switched on in the region, SBP first. */
export async function listMethods(regionId = config.regionId): Promise<PaymentMethod[]> {
  const { payment_providers: providers } = await sdk.store.payment.listPaymentProviders({
    region_id: regionId,
  })
  return providers
    .flatMap(({ id }) => {
      const method = methodOf(id)
      return method ? [{ providerId: id, method }] : []
    })
    .sort((a, b) => b.method.localeCompare(a.method))
}

/** The payment of a cart that was begun with this plugin and is still open, if there is one. */
export function openSession(cart: Cart | null) {
  return cart?.payment_collection?.payment_sessions?.find(
    (session) => session.status === "pending" && methodOf(session.provider_id) !== null
  )
}
