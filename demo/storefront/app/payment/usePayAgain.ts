import { useState } from "react"
import { useCart } from "../cart/CartProvider"
import { failureOf, isNotFound, type Failure } from "../failure"
import { useLocale } from "../i18n/LocaleProvider"
import { sdk } from "../medusa"
import { listMethods } from "./methods"
import type { SessionStatus } from "./sessionStatus"
import { startOrderPayment, startPayment } from "./startPayment"

interface PayAgain {
  busy: boolean
  failure: Failure | null
  /** Begins a new payment with the method of the last one; resolves with its session's id, or null when it failed. */
  payAgain: (last: SessionStatus) => Promise<string | null>
}

/** One click from a declined or expired payment to the next one. Works without anything remembered in this browser. */
export function usePayAgain(cartId: string | null): PayAgain {
  const { t } = useLocale()
  const { keep } = useCart()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  const payAgain = async (last: SessionStatus) => {
    setBusy(true)
    setFailure(null)
    try {
      if (last.order_id) {
        return await startOrderPayment(last.order_id, await providerFor(last))
      }
      if (!cartId) {
        setFailure({ sentence: t.error.cartGone, detail: null })
        return null
      }
      const { cart } = await sdk.store.cart.retrieve(cartId)
      keep(cart)
      const used = cart.payment_collection?.payment_sessions?.find(({ id }) => id === last.id)
      return await startPayment(cart, used?.provider_id ?? (await providerFor(last)))
    } catch (error) {
      const sentence = isNotFound(error) ? t.error.cartGone : t.error.payment
      setFailure(failureOf(error, sentence, t))
      return null
    } finally {
      setBusy(false)
    }
  }

  return { busy, failure, payAgain }
}

async function providerFor({ method }: SessionStatus): Promise<string> {
  const methods = await listMethods()
  const found = methods.find((candidate) => candidate.method === method)
  if (!found) {
    throw new Error(`No provider for ${method} in this region`)
  }
  return found.providerId
}
