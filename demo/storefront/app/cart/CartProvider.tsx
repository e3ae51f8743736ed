import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react"
import { config } from "../config"
import { isNotFound } from "../failure"
import { sdk, type Cart } from "../medusa"
import { CART_KEY, rememberedCart } from "../remembered"

interface CartState {
  cart: Cart | null
  /** False until the remembered cart, if there is one, was read once. */
  ready: boolean
  failed: unknown
  /** Units of everything in the cart. */
  count: number
  add: (variantId: string) => Promise<void>
  setQuantity: (itemId: string, quantity: number) => Promise<void>
  remove: (itemId: string) => Promise<void>
  /** Reads the cart from the shop; a cart that became an order is forgotten. */
  reload: () => Promise<Cart | null>
  /** Takes over what a store route answered, or another cart. */
  keep: (cart: Cart) => void
}

const Context = createContext<CartState | null>(null)

export function CartProvider({ children }: { children: ReactNode }) {
  const [cart, setCart] = useState<Cart | null>(null)
  const [ready, setReady] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)

  const keep = useCallback((next: Cart) => {
    if (next.completed_at) {
      rememberedCart.forget()
      setCart(null)
    } else {
      rememberedCart.write(next.id)
      setCart(next)
    }
  }, [])

  const reload = useCallback(async () => {
    const id = rememberedCart.read()
    try {
      const found = id ? await readCart(id) : null
      // Another tab may have put a new cart there while this one was being read.
      if (rememberedCart.read() === id) {
        if (found) {
          keep(found)
        } else {
          rememberedCart.forget()
          setCart(null)
        }
      }
      setFailed(null)
      return found?.completed_at ? null : found
    } catch (error) {
      setFailed(error)
      return null
    } finally {
      setReady(true)
    }
  }, [keep])

  useEffect(() => {
    void reload()
    const follow = (event: StorageEvent) => {
      if (event.key === CART_KEY) {
        void reload()
      }
    }
    window.addEventListener("storage", follow)
    return () => window.removeEventListener("storage", follow)
  }, [reload])

  // Two products added at once must not make two carts.
  const creating = useRef<Promise<string> | null>(null)
  const cartToFill = useCallback((): Promise<string> => {
    const id = rememberedCart.read()
    if (id) {
      return Promise.resolve(id)
    }
    creating.current ??= sdk.store.cart
      .create({ region_id: config.regionId })
      .then(({ cart: created }) => {
        rememberedCart.write(created.id)
        return created.id
      })
      .finally(() => {
        creating.current = null
      })
    return creating.current
  }, [])

  const add = useCallback(
    async (variantId: string) => {
      const line = { variant_id: variantId, quantity: 1 }
      try {
        keep((await sdk.store.cart.createLineItem(await cartToFill(), line)).cart)
      } catch (error) {
        const before = rememberedCart.read()
        await reload()
        const gone = before !== null && rememberedCart.read() === null
        if (!gone) {
          throw error
        }
        // The remembered cart had become an order elsewhere: this one goes into a new cart.
        keep((await sdk.store.cart.createLineItem(await cartToFill(), line)).cart)
      }
    },
    [cartToFill, keep, reload]
  )

  const value = useMemo<CartState>(
    () => ({
      cart,
      ready,
      failed,
      count: (cart?.items ?? []).reduce((sum, item) => sum + item.quantity, 0),
      reload,
      keep,
      add,
      async setQuantity(itemId, quantity) {
        if (cart) {
          keep((await sdk.store.cart.updateLineItem(cart.id, itemId, { quantity })).cart)
        }
      },
      async remove(itemId) {
        if (cart) {
          await sdk.store.cart.deleteLineItem(cart.id, itemId)
          await reload()
        }
      },
    }),
    [cart, ready, failed, reload, keep, add]
  )
  return <Context.Provider value={value}>{children}</Context.Provider>
}

export function useCart(): CartState {
  const value = useContext(Context)
  if (!value) {
    throw new Error("useCart needs a CartProvider above it")
  }
  return value
}

async function readCart(id: string): Promise<Cart | null> {
  try {
    return (await sdk.store.cart.retrieve(id)).cart
  } catch (error) {
    if (isNotFound(error)) {
      return null
    }
    throw error
  }
}
