"use server"

import { sdk } from "@lib/config"
import { revalidateTag } from "next/cache"
import { retrieveCart } from "./cart"
import { getAuthHeaders, getCacheTag } from "./cookies"

export const updateLocale = async (localeCode: string): Promise<void> => {
  // Update cart with the new locale if a cart exists
  const cartId = (await retrieveCart(undefined, "id"))?.id
  if (cartId) {
    const headers = {
      ...(await getAuthHeaders()),
    }

    await sdk.store.cart.update(cartId, { locale: localeCode }, {}, headers)

    const cartCacheTag = await getCacheTag("carts")
    if (cartCacheTag) {
      revalidateTag(cartCacheTag)
    }
  }
}
