import type { ReactElement } from "react"
import { fillIn } from "../texts/index.js"
import { useGivenLook } from "./look.js"

/** The only fact that a payment link shows of an order, besides the sum. */
export function OrderNumber({ number }: { number: number }): ReactElement {
  const { t, part } = useGivenLook()
  return <p {...part("order-number")}>{fillIn(t.orderNumber, { number: String(number) })}</p>
}
