import type { ReactElement } from "react"
import { fillIn } from "../texts/index.js"
import { useGivenLook } from "./look.js"

/** The only fact about an order, besides the sum, for whoever has a payment link or pays in another browser. */
export function OrderNumber({ number }: { number: number }): ReactElement {
  const { t, part } = useGivenLook()
  return <p {...part("order-number")}>{fillIn(t.orderNumber, { number: String(number) })}</p>
}
