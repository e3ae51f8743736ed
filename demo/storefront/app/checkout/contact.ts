import type { Messages } from "../i18n/en"
import type { Cart } from "../medusa"

export interface Contact {
  email: string
  firstName: string
  lastName: string
  address: string
  city: string
  postalCode: string
}

/** The form's first values: those of the cart, else a sample, because this is a demo. */
export function initialContact(cart: Cart, t: Messages): Contact {
  const known = cart.shipping_address
  const { sample } = t.checkout
  return {
    email: cart.email ?? "anna@example.com",
    firstName: known?.first_name ?? sample.firstName,
    lastName: known?.last_name ?? sample.lastName,
    address: known?.address_1 ?? sample.address,
    city: known?.city ?? sample.city,
    postalCode: known?.postal_code ?? "125047",
  }
}

/** The form as Medusa's cart wants it. */
export function asCartUpdate(contact: Contact) {
  const address = {
    first_name: contact.firstName.trim(),
    last_name: contact.lastName.trim(),
    address_1: contact.address.trim(),
    city: contact.city.trim(),
    postal_code: contact.postalCode.trim(),
    country_code: "ru",
  }
  return { email: contact.email.trim(), shipping_address: address, billing_address: address }
}
