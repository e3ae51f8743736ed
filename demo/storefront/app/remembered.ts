interface Slot {
  read: () => string | null
  write: (value: string) => void
  forget: () => void
}

/** A browser may forbid storage (private windows, policies): the shop then works until the page is closed. */
function slot(key: string): Slot {
  let inMemory: string | null = null
  return {
    read() {
      try {
        return window.localStorage.getItem(key)
      } catch {
        return inMemory
      }
    },
    write(value) {
      inMemory = value
      try {
        window.localStorage.setItem(key, value)
      } catch {
        // kept in memory
      }
    },
    forget() {
      inMemory = null
      try {
        window.localStorage.removeItem(key)
      } catch {
        // kept in memory
      }
    },
  }
}

export const CART_KEY = "storefront.cart"

export const rememberedLocale = slot("storefront.locale")
export const rememberedCart = slot(CART_KEY)

const paymentSlot = slot("storefront.payment")

/** The payment that the shopper started last, so that a reload finds it even when its cart has become an order. */
interface RememberedPayment {
  sessionId: string
  cartId: string | null
}

export const rememberedPayment = {
  read(): RememberedPayment | null {
    try {
      const value: unknown = JSON.parse(paymentSlot.read() ?? "null")
      if (value && typeof value === "object" && "sessionId" in value && "cartId" in value) {
        const { sessionId, cartId } = value
        if (typeof sessionId === "string") {
          return { sessionId, cartId: typeof cartId === "string" ? cartId : null }
        }
      }
    } catch {
      // something else wrote there
    }
    return null
  },
  write(payment: RememberedPayment) {
    paymentSlot.write(JSON.stringify(payment))
  },
}
