import { openSession } from "medusa-payment-sbp-crypto-storefront"
import { useState, type FormEvent } from "react"
import { useCart } from "../cart/CartProvider"
import { Summary } from "../cart/Summary"
import { FailureNote } from "../frame/FailureNote"
import { useLocale } from "../i18n/LocaleProvider"
import { sdk, type Cart } from "../medusa"
import { navigate } from "../navigation"
import { beginPayment } from "../payment/beginPayment"
import { CartPayment } from "../payment/CartPayment"
import { asCartUpdate, type Contact, initialContact } from "./contact"
import { ContactFields } from "./ContactFields"
import { MethodChoice } from "./MethodChoice"
import { ShippingChoice } from "./ShippingChoice"
import { Steps } from "./Steps"
import { useMethods } from "./useMethods"
import { useShippingOptions } from "./useShippingOptions"

export function CheckoutForm({ cart }: { cart: Cart }) {
  const { t, money } = useLocale()
  const { keep, reload } = useCart()
  const shipping = useShippingOptions(cart.id)
  const { methods, failed: methodsFailed } = useMethods()
  const [typed, setTyped] = useState<Contact | null>(null)
  const contact = typed ?? initialContact(cart, t)
  const [picked, setPicked] = useState(() => openSession(cart)?.provider_id)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [totalChanged, setTotalChanged] = useState(false)

  const providerId =
    methods?.find((method) => method.providerId === picked)?.providerId ?? methods?.[0]?.providerId
  const total = money(cart.total, cart.currency_code)
  const payable = providerId !== undefined && shipping.chosenId !== null && !shipping.busy

  const pay = async (event: FormEvent) => {
    event.preventDefault()
    if (!providerId || !payable || busy) {
      return
    }
    setBusy(true)
    setFailure(null)
    setTotalChanged(false)
    try {
      const { cart: fresh } = await sdk.store.cart.update(cart.id, asCartUpdate(contact))
      keep(fresh)
      if (money(fresh.total, fresh.currency_code) !== total) {
        // The address can change the tax: nobody pays a sum that was not on the button.
        setTotalChanged(true)
        return
      }
      await beginPayment(fresh.id, providerId)
      navigate("/checkout/pay")
    } catch (error) {
      setFailure(error)
      void reload()
    } finally {
      setBusy(false)
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
              <ShippingChoice shipping={shipping} currency={cart.currency_code} />
            </ContactFields>
            <MethodChoice
              methods={methods}
              failed={methodsFailed}
              chosenId={providerId}
              onChoose={setPicked}
            />
          </div>
          <Summary of={cart} withItems>
            {totalChanged && (
              <p className="failure" role="alert" data-testid="error">
                {t.checkout.totalChanged(total)}
              </p>
            )}
            <FailureNote error={failure} what="payment" />
            <button
              type="submit"
              className="button wide"
              data-testid="pay-button"
              disabled={!payable || busy}
            >
              {busy ? t.checkout.preparing : t.checkout.pay(total)}
            </button>
          </Summary>
        </form>
      </CartPayment>
    </>
  )
}
