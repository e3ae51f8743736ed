import { useCallback, useEffect, useRef, useState } from "react"
import { useCart } from "../cart/CartProvider"
import { sdk, type ShippingOption } from "../medusa"

interface ShippingChoice {
  /** Null while they are being read. */
  options: ShippingOption[] | null
  chosenId: string | null
  busy: boolean
  failed: unknown
  choose: (optionId: string) => Promise<void>
}

/** The cart's delivery options; the first one is chosen when none is. */
export function useShippingOptions(cartId: string | undefined): ShippingChoice {
  const { cart, keep } = useCart()
  const [options, setOptions] = useState<ShippingOption[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const defaulted = useRef(false)
  const chosenId = cart?.shipping_methods?.[0]?.shipping_option_id ?? null

  const choose = useCallback(
    async (optionId: string) => {
      if (!cartId) {
        return
      }
      setBusy(true)
      setFailed(null)
      try {
        keep((await sdk.store.cart.addShippingMethod(cartId, { option_id: optionId })).cart)
      } catch (error) {
        setFailed(error)
      } finally {
        setBusy(false)
      }
    },
    [cartId, keep]
  )

  useEffect(() => {
    if (!cartId) {
      return
    }
    let current = true
    sdk.store.fulfillment
      .listCartOptions({ cart_id: cartId })
      .then(({ shipping_options: listed }) => current && setOptions(listed))
      .catch((error: unknown) => current && setFailed(error))
    return () => {
      current = false
    }
  }, [cartId])

  useEffect(() => {
    const first = options?.[0]
    const known = options?.some(({ id }) => id === chosenId)
    if (first && !known && !defaulted.current) {
      defaulted.current = true
      void choose(first.id)
    }
  }, [options, chosenId, choose])

  return { options, chosenId, busy, failed, choose }
}
