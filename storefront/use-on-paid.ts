import { useEffect, useRef } from "react"
import type { PaymentStatus } from "./payment-status.js"

/** Calls `onPaid` once for each payment that is paid and has an order of which the id is told. */
export function useOnPaid(paid: PaymentStatus | null, onPaid: (orderId: string) => void): void {
  const calledFor = useRef<string | null>(null)
  const id = paid?.id ?? null
  const orderId = paid?.order_id ?? null
  const latest = useRef(onPaid)
  useEffect(() => {
    latest.current = onPaid
  })
  useEffect(() => {
    if (id && orderId && calledFor.current !== id) {
      calledFor.current = id
      latest.current(orderId)
    }
  }, [id, orderId])
}
