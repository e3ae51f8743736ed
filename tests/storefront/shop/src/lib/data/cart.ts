"use server"

import { sdk } from "@lib/config"
import medusaError from "@lib/util/medusa-error"
import { HttpTypes } from "@medusajs/types"
import { revalidatePath } from "next/cache"
import { redirect } from "next/navigation"
import { getCartId, removeCartId, setCartId } from "./cookies"
import { getRegion } from "./regions"

export async function retrieveCart(cartId?: string, fields?: string) {
  const id = cartId || (await getCartId())
  fields ??= "*items, *region, *shipping_address, +items.total"

  if (!id) {
    return null
  }

  return await sdk.client
    .fetch<HttpTypes.StoreCartResponse>(`/store/carts/${id}`, {
      method: "GET",
      query: {
        fields: `${fields},+completed_at`,
      },
      cache: "no-store",
    })
    .then(({ cart }: { cart: HttpTypes.StoreCart }) =>
      cart.completed_at ? null : cart
    )
    .catch(() => null)
}

export async function addToCart(variantId: string) {
  let cart = await retrieveCart(undefined, "id,region_id")
  if (!cart) {
    const region = await getRegion("ru")
    cart = (await sdk.store.cart.create({ region_id: region?.id })).cart
    await setCartId(cart.id)
  }
  await sdk.store.cart
    .createLineItem(cart.id, { variant_id: variantId, quantity: 1 })
    .catch(medusaError)
  redirect("/ru/cart")
}

/** The shop has one address form, and sends everything by the first way there is. */
export async function setAddresses(formData: FormData) {
  const cartId = await getCartId()
  if (!cartId) redirect("/ru/cart")
  const address = {
    first_name: String(formData.get("first_name")),
    address_1: String(formData.get("address_1")),
    city: String(formData.get("city")),
    postal_code: String(formData.get("postal_code")),
    country_code: "ru",
  }
  await sdk.store.cart
    .update(cartId, {
      email: String(formData.get("email")),
      shipping_address: address,
      billing_address: address,
    })
    .catch(medusaError)
  const { shipping_options: options } =
    await sdk.store.fulfillment.listCartOptions({ cart_id: cartId })
  await sdk.store.cart
    .addShippingMethod(cartId, {
      option_id: options.find(({ amount }) => amount > 0)?.id ?? "",
    })
    .catch(medusaError)
  redirect("/ru/checkout?step=payment")
}

export async function initiatePaymentSession(
  cart: HttpTypes.StoreCart,
  data: HttpTypes.StoreInitializePaymentSession
) {
  return sdk.store.payment
    .initiatePaymentSession(cart, data)
    .then(async (resp) => {
      revalidatePath("/ru/checkout")
      return resp
    })
    .catch(medusaError)
}

export async function placeOrder(cartId?: string) {
  const id = cartId || (await getCartId())

  if (!id) {
    throw new Error("No existing cart found when placing an order")
  }

  const cartRes = await sdk.store.cart
    .complete(id)
    .catch((error: Error) => ({ type: "cart" as const, error }))

  if (cartRes?.type === "order") {
    const countryCode =
      cartRes.order.shipping_address?.country_code?.toLowerCase()

    await removeCartId()
    redirect(`/${countryCode}/order/${cartRes.order.id}/confirmed`)
  }

  return cartRes.error.message
}

export async function updateRegion(countryCode: string, currentPath: string) {
  const cartId = (await retrieveCart(undefined, "id"))?.id
  const region = await getRegion(countryCode)

  if (cartId) {
    await sdk.store.cart
      .update(cartId, { region_id: region?.id })
      .catch(medusaError)
  }

  redirect(`/${countryCode}${currentPath}`)
}
