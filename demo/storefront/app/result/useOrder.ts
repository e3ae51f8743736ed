import { useCallback, useEffect, useState } from "react"
import { sdk, type Order } from "../medusa"

/** An order by its id, which is all that a guest needs to see it. */
export function useOrder(orderId: string): {
  order: Order | null
  failed: unknown
  retry: () => void
} {
  const [order, setOrder] = useState<Order | null>(null)
  const [failed, setFailed] = useState<unknown>(null)

  const read = useCallback(() => {
    setFailed(null)
    sdk.store.order
      .retrieve(orderId)
      .then(({ order: found }) => setOrder(found))
      .catch((error: unknown) => setFailed(error))
  }, [orderId])

  useEffect(read, [read])

  return { order, failed, retry: read }
}
