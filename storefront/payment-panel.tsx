"use client"

import type { ReactElement } from "react"
import { FollowedPayment, type FollowedPaymentProps } from "./panel/followed-payment.js"
import { LookProvider, type LookProps, useLook } from "./panel/look.js"

export interface PaymentPanelProps
  extends LookProps, Omit<FollowedPaymentProps, "changesMethodOfOrder" | "takesFocus"> {}

/**
 * A payment from its QR code to its end, in one accessible component. It needs nothing but the payment session's id, so it works
 * on any device, without cookies and without the cart. It has no styles: `data-part` and `data-state` are there for a stylesheet,
 * `slots` for class names.
 */
export function PaymentPanel(props: PaymentPanelProps): ReactElement {
  const { locale, texts, slots, heading, ...payment } = props
  const look = useLook({ locale, texts, slots, heading })
  return (
    <LookProvider value={look}>
      <FollowedPayment {...payment} />
    </LookProvider>
  )
}
