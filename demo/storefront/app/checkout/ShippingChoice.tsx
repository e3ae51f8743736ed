import { useCallback, useEffect, useState } from "react"
import { useCart } from "../cart/CartProvider"
import { Loading } from "../frame/Empty"
import { FailureNote } from "../frame/FailureNote"
import { useLocale } from "../i18n/LocaleProvider"
import { type Cart, sdk } from "../medusa"
import { ChoiceCard } from "./ChoiceCard"

type Listed = Awaited<ReturnType<typeof sdk.store.fulfillment.listCartOptions>>

/** The cart's delivery options; the first one is chosen when none is. */
export function ShippingChoice({ cart }: { cart: Cart }) {
  const { t, money } = useLocale()
  const { keep } = useCart()
  const [options, setOptions] = useState<Listed["shipping_options"] | null>(null)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  // Of another store's options only the name is known.
  const names = new Map(Object.entries(t.checkout.shipping))
  const chosenId = cart.shipping_methods?.[0]?.shipping_option_id
  const isChosen = chosenId !== undefined
  const { id: cartId } = cart

  const choose = useCallback(
    async (optionId: string) => {
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
    sdk.store.fulfillment
      .listCartOptions({ cart_id: cartId })
      .then(({ shipping_options: listed }) => {
        setOptions(listed)
        if (!isChosen && listed[0]) void choose(listed[0].id)
      })
      .catch(setFailed)
  }, [cartId, isChosen, choose])

  return (
    <div className="choices" role="radiogroup" aria-label={t.checkout.delivery}>
      {!options && !failed && <Loading />}
      {options?.length === 0 && <p className="muted">{t.checkout.noShipping}</p>}
      {options?.map((option) => (
        <ChoiceCard
          key={option.id}
          group="shipping"
          title={names.get(option.type.code) ?? option.name}
          aside={option.amount ? money(option.amount, cart.currency_code) : t.summary.free}
          checked={option.id === chosenId}
          disabled={busy}
          testId={`shipping-${option.id}`}
          onChoose={() => void choose(option.id)}
        />
      ))}
      <FailureNote error={failed} what="cart" />
    </div>
  )
}
