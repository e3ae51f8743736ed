import { useEffect, useState } from "react"
import { listMethods, type PaymentMethod } from "../payment/methods"

/** The plugin's payment methods in this region; null while they are being read. */
export function useMethods(): { methods: PaymentMethod[] | null; failed: unknown } {
  const [methods, setMethods] = useState<PaymentMethod[] | null>(null)
  const [failed, setFailed] = useState<unknown>(null)

  useEffect(() => {
    let current = true
    listMethods()
      .then((listed) => current && setMethods(listed))
      .catch((error: unknown) => current && setFailed(error))
    return () => {
      current = false
    }
  }, [])

  return { methods, failed }
}
