interface StorefrontConfig {
  backendUrl: string
  publishableKey: string
  regionId: string
  /** Order first: the shop completes the cart itself, as soon as there is something to pay with. */
  orderPlacement: "after_payment" | "before_payment"
}

declare global {
  interface Window {
    __STOREFRONT__: StorefrontConfig
  }
}

export const config = window.__STOREFRONT__
