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
import { FetchError } from "@medusajs/js-sdk"
import { config, sdk, type Cart } from "../medusa"
import { rememberedCart } from "../remembered"

interface CartState {
  cart: Cart | null
  /** False until the remembered cart, if there is one, was read once. */
  ready: boolean
  failed: unknown
  add: (variantId: string) => Promise<void>
  setQuantity: (itemId: string, quantity: number) => Promise<void>
  remove: (itemId: string) => Promise<void>
  /** Reads the cart from the shop; a cart that became an order is forgotten. */
  reload: () => Promise<void>
  /** Takes over what a store route answered. */
  keep: (cart: Cart) => void
}

const Context = createContext<CartState | null>(null)

export function CartProvider({ children }: { children: ReactNode }) {
  const [cart, setCart] = useState<Cart | null>(null)
  const [ready, setReady] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)

  const keep = useCallback((next: Cart | null) => {
    if (!next || next.completed_at) {
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
        keep(found)
      }
      setFailed(null)
    } catch (error) {
      setFailed(error)
    } finally {
      setReady(true)
    }
  }, [keep])

  useEffect(() => {
    void reload()
    const follow = (event: StorageEvent) => {
      if (event.key === rememberedCart.key) {
        void reload()
      }
    }
    window.addEventListener("storage", follow)
    return () => window.removeEventListener("storage", follow)
  }, [reload])

  // Two products added at once must not make two carts.
  const creating = useRef<Promise<string> | null>(null)
  const add = useCallback(
    async (variantId: string) => {
      creating.current ??= cartToFill().finally(() => {
        creating.current = null
      })
      const id = await creating.current
      try {
        const line = { variant_id: variantId, quantity: 1 }
        keep((await sdk.store.cart.createLineItem(id, line)).cart)
      } catch (error) {
        // The cart may have become an order elsewhere.
        await reload()
        throw error
      }
    },
    [keep, reload]
  )

  const value = useMemo<CartState>(
    () => ({
      cart,
      ready,
      failed,
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

async function cartToFill(): Promise<string> {
  const id = rememberedCart.read()
  if (id) {
    return id
  }
  const { cart } = await sdk.store.cart.create({ region_id: config.regionId })
  rememberedCart.write(cart.id)
  return cart.id
}

async function readCart(id: string): Promise<Cart | null> {
  try {
    return (await sdk.store.cart.retrieve(id)).cart
  } catch (error) {
    if (error instanceof FetchError && error.status === 404) {
      return null
    }
    throw error
  }
}
