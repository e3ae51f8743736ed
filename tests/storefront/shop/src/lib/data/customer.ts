"use server"

import { sdk } from "@lib/config"
import { redirect } from "next/navigation"
import { retrieveCart } from "./cart"
import { getAuthHeaders, setAuthToken } from "./cookies"

export async function login(_currentState: string | null, formData: FormData) {
  const email = formData.get("email") as string
  const password = formData.get("password") as string

  try {
    const token = await sdk.auth.login("customer", "emailpass", {
      email,
      password,
    })
    await setAuthToken(token as string)
    await transferCart()
  } catch (error) {
    return String(error)
  }

  redirect("/ru/cart")
}

export async function transferCart() {
  const cartId = (await retrieveCart(undefined, "id"))?.id

  if (!cartId) {
    return
  }

  const headers = await getAuthHeaders()

  await sdk.store.cart.transferCart(cartId, {}, headers)
}
