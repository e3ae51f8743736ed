import { reader } from "@lib/constants"
import { retrieveCart } from "@lib/data/cart"
import { convertToLocale } from "@lib/util/money"
import {
  OpenPaymentLine,
  openSession,
} from "medusa-payment-sbp-crypto-storefront"
import Link from "next/link"

export default async function Cart() {
  const cart = await retrieveCart()

  if (!cart?.items?.length) {
    return <p data-testid="empty-cart-message">The cart is empty.</p>
  }

  return (
    <>
      <OpenPaymentLine
        sessionId={openSession(cart)?.id ?? null}
        collectionId={cart?.payment_collection?.id}
        reader={reader}
        href="pay?session={session_id}"
        orderPage="order/{order_id}/confirmed"
      />
      <ul>
        {cart.items.map(({ id, title, quantity }) => (
          <li key={id}>
            {title} × {quantity}
          </li>
        ))}
      </ul>
      <p>
        {convertToLocale({
          amount: cart.total,
          currency_code: cart.currency_code,
        })}
      </p>
      <Link href="/ru/checkout" data-testid="checkout-button">
        Go to checkout
      </Link>
    </>
  )
}
