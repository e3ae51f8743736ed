import { FetchError } from "@medusajs/js-sdk"
import { openSession, startPayment } from "medusa-payment-sbp-crypto-storefront"
import { useState, type FormEvent } from "react"
import { useCart } from "../cart/CartProvider"
import { Summary } from "../cart/Summary"
import { WithCart } from "../cart/WithCart"
import { FailureNote } from "../frame/FailureNote"
import { useLocale } from "../i18n/LocaleProvider"
import { type Cart, config, reader, sdk } from "../medusa"
import { navigate } from "../navigation"
import { payAddress } from "../payment/addresses"
import { CartPayment } from "../payment/CartPayment"
import { rememberedPayment } from "../remembered"
import { asCartUpdate, type Contact, initialContact } from "./contact"
import { ContactFields } from "./ContactFields"
import { MethodChoice, useMethods } from "./MethodChoice"
import { ShippingChoice } from "./ShippingChoice"
import { Steps } from "./Steps"

export function CheckoutPage() {
  return <WithCart>{(cart) => <CheckoutForm key={cart.id} cart={cart} />}</WithCart>
}

function CheckoutForm({ cart }: { cart: Cart }) {
  const { t, money } = useLocale()
  const { keep, reload } = useCart()
  const shown = useMethods()
  const [typed, setTyped] = useState<Contact | null>(null)
  const contact = typed ?? initialContact(cart, t)
  const [picked, setPicked] = useState(() => openSession(cart)?.provider_id)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  const { id: providerId } = shown.methods?.find(({ id }) => id === picked) ??
    shown.methods?.[0] ?? { id: undefined }
  const isPayable = providerId !== undefined && Boolean(cart.shipping_methods?.length)

  const pay = async (event: FormEvent) => {
    event.preventDefault()
    if (!isPayable || busy) {
      return
    }
    setBusy(true)
    setFailure(null)
    try {
      keep((await sdk.store.cart.update(cart.id, asCartUpdate(contact))).cart)
      const sessionId = await startPayment(reader, { cartId: cart.id }, providerId)
      rememberedPayment.write({ sessionId, cartId: cart.id })
      if (config.orderPlacement === "before_payment") {
        await placeOrder(cart.id)
      }
      navigate(payAddress(sessionId))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
      void reload()
    }
  }

  return (
    <>
      <Steps current="details" />
      <h1>{t.checkout.title}</h1>
      <CartPayment cart={cart}>
        <form className="columns" onSubmit={(event) => void pay(event)}>
          <div className="stack">
            <ContactFields contact={contact} onChange={setTyped}>
              <ShippingChoice cart={cart} />
            </ContactFields>
            <MethodChoice shown={shown} chosenId={providerId} onChoose={setPicked} />
          </div>
          <Summary of={cart} withItems>
            <FailureNote error={failure} what="payment" />
            <button
              type="submit"
              className="button wide"
              data-testid="pay-button"
              disabled={!isPayable || busy}
            >
              {busy ? t.checkout.preparing : t.checkout.pay(money(cart.total, cart.currency_code))}
            </button>
          </Summary>
        </form>
      </CartPayment>
    </>
  )
}

/** Order first: the order is there before the money, and keeps the goods for it. */
async function placeOrder(cartId: string): Promise<void> {
  const answer = await sdk.store.cart.complete(cartId)
  if (answer.type === "cart") {
    // As a refusal of the shop, which is what it is: the goods may be sold out by now.
    throw new FetchError(answer.error.message, answer.error.name, 400)
  }
}
