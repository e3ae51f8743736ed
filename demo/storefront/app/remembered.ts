/** A text that this browser keeps. */
const slot = (key: string) => ({
  key,
  read: () => localStorage.getItem(key),
  write: (value: string) => localStorage.setItem(key, value),
  forget: () => localStorage.removeItem(key),
})

export const rememberedLocale = slot("storefront.locale")
export const rememberedCart = slot("storefront.cart")

const payment = slot("storefront.payment")

interface BegunPayment {
  sessionId: string
  cartId: string
}

/** The payment that the shopper began last: it is found also when its cart has become an order, or has another payment. */
export const rememberedPayment = {
  read: () => JSON.parse(payment.read() ?? "null") as BegunPayment | null,
  write: (begun: BegunPayment) => payment.write(JSON.stringify(begun)),
}
