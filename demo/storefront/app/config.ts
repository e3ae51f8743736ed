interface StorefrontConfig {
  backendUrl: string
  publishableKey: string
  regionId: string
  /** Order first: the shop completes the cart itself, as soon as there is something to pay with. */
  orderPlacement: "after_payment" | "before_payment"
  /** The server's clock when it sent the page, and this device's when it arrived; both in milliseconds. */
  serverTime: number
  receivedAt: number
}

declare global {
  interface Window {
    __STOREFRONT__: StorefrontConfig
  }
}

export const config = window.__STOREFRONT__

/** Now, by the server's clock: a device's own may be minutes off, and a countdown must not be. Milliseconds. */
export function serverNow(): number {
  return Date.now() + config.serverTime - config.receivedAt
}
