import { useLocale } from "../i18n/LocaleProvider"
import { useOrder } from "./useOrder"

/** The number of an order that was placed before its payment arrived. */
export function OrderNumber({ orderId }: { orderId: string }) {
  const { t } = useLocale()
  const { order } = useOrder(orderId)
  return order ? <p className="muted">{t.result.waitingOrder(String(order.display_id))}</p> : null
}
