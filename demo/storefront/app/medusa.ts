import Medusa from "@medusajs/js-sdk"

declare global {
  interface Window {
    /** See `PageConfig` of the server. */
    __STOREFRONT__: {
      backendUrl: string
      publishableKey: string
      regionId: string
      orderPlacement: "after_payment" | "before_payment"
    }
  }
}

export const config = window.__STOREFRONT__

/** For the payment's own requests, because js-sdk drops the code of a refusal. */
export const reader = { baseUrl: config.backendUrl, publishableKey: config.publishableKey }

export const sdk = new Medusa(reader)

export type Cart = Awaited<ReturnType<typeof sdk.store.cart.retrieve>>["cart"]
export type CartItem = NonNullable<Cart["items"]>[number]
export type Order = Awaited<ReturnType<typeof sdk.store.order.retrieve>>["order"]
export type Product = Awaited<ReturnType<typeof sdk.store.product.list>>["products"][number]
