import { useEffect, useRef } from "react"
import { hasOrder, type PaymentStatus } from "./payment-status.js"

/** Calls `onPaid` once for each payment that is paid and has its order, whose id may not be told. */
export function useOnPaid(
  paid: PaymentStatus | null,
  onPaid: (orderId: string | null) => void
): void {
  const calledFor = useRef<string | null>(null)
  const id = paid?.id ?? null
  const orderId = paid?.order_id ?? null
  const isPlaced = paid !== null && hasOrder(paid)
  const latest = useRef(onPaid)
  useEffect(() => {
    latest.current = onPaid
  })
  useEffect(() => {
    if (id && isPlaced && calledFor.current !== id) {
      calledFor.current = id
      latest.current(orderId)
    }
  }, [id, orderId, isPlaced])
}
