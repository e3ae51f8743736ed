import { useEffect, useRef } from "react"
import { hasOrder, type PaymentStatus } from "./payment-status.js"

/** Calls `onPaid` once for each payment that is paid and has its order, whose id may not be told. */
export function useOnPaid(
  paid: PaymentStatus | null,
  onPaid: (orderId: string | null) => void
): void {
  // The order's id may be told later than that the payment is paid.
  const calledFor = useRef<string | null>(null)
  const id = paid?.id ?? null
  const orderId = paid?.order_id ?? null
  const isPlaced = paid !== null && hasOrder(paid)
  const latest = useRef(onPaid)
  useEffect(() => {
    latest.current = onPaid
  })
  useEffect(() => {
    const paidOrder = `${id} ${orderId}`
    if (id && isPlaced && calledFor.current !== paidOrder) {
      calledFor.current = paidOrder
      latest.current(orderId)
    }
  }, [id, orderId, isPlaced])
}
