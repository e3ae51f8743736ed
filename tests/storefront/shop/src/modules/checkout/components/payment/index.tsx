"use client"

import { paymentInfoMap } from "@lib/constants"
import { initiatePaymentSession } from "@lib/data/cart"
import { reader } from "@lib/constants"
import {
  methodOf,
  refusalText,
  startPayment,
} from "medusa-payment-sbp-crypto-storefront"
import { HttpTypes } from "@medusajs/types"
import { Button } from "@modules/common/components/ui"
import { useRouter } from "next/navigation"
import { useState } from "react"

const Payment = ({
  cart,
  availablePaymentMethods,
}: {
  cart: HttpTypes.StoreCart
  availablePaymentMethods: { id: string }[]
}) => {
  const activeSession = cart.payment_collection?.payment_sessions?.find(
    (paymentSession) => paymentSession.status === "pending"
  )

  const [isLoading, setIsLoading] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [selectedPaymentMethod, setSelectedPaymentMethod] = useState(
    activeSession?.provider_id ?? ""
  )

  const router = useRouter()

  const handleSubmit = async () => {
    setIsLoading(true)
    try {
      const checkActiveSession =
        activeSession?.provider_id === selectedPaymentMethod

      if (!checkActiveSession) {
        await (methodOf(selectedPaymentMethod)
          ? startPayment(
              reader,
              { cartId: cart.id },
              selectedPaymentMethod
            ).then(() => router.refresh())
          : initiatePaymentSession(cart, {
              provider_id: selectedPaymentMethod,
            }))
      }

      router.push("/ru/checkout?step=review")
    } catch (err) {
      setError(refusalText(err, "en"))
    } finally {
      setIsLoading(false)
    }
  }

  return (
    <fieldset>
      <legend>Payment</legend>
      {availablePaymentMethods.map(({ id }) => (
        <p key={id}>
          <label>
            <input
              type="radio"
              name="method"
              value={id}
              checked={selectedPaymentMethod === id}
              onChange={() => setSelectedPaymentMethod(id)}
            />
            {paymentInfoMap[id]?.title || id} {paymentInfoMap[id]?.icon}
          </label>
        </p>
      ))}
      {error && <p data-testid="payment-method-error-message">{error}</p>}
      <Button
        onClick={handleSubmit}
        isLoading={isLoading}
        disabled={!selectedPaymentMethod}
        data-testid="submit-payment-button"
      >
        Continue to review
      </Button>
    </fieldset>
  )
}

export default Payment
