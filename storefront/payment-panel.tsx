"use client"

import { type ReactElement, useEffect, useState } from "react"
import { FollowedPayment, type FollowedPaymentProps } from "./panel/followed-payment.js"
import { LookProvider, type LookProps, useLook } from "./panel/look.js"
import { keepInAddress, usePaymentInAddress } from "./use-payment-in-address.js"

export interface PaymentPanelProps
  extends
    LookProps,
    Omit<
      FollowedPaymentProps,
      "sessionId" | "collectionId" | "changesMethodOfOrder" | "takesFocus" | "onUnknown"
    > {
  /**
   * The payment session's id, `payses_…`. Without it, the panel is the subject of its page: it reads `session`, or
   * `return` of a returning payer, from the page's address, puts the id of a new payment there, and has a first-level heading.
   */
  sessionId?: string
}

/**
 * A payment from its QR code to its end, in one accessible component. It needs only the payment session's id, so it works on any
 * device, without cookies and without the cart. It has no styles: `data-part` and `data-state` are for a stylesheet, `slots` for
 * class names.
 */
export function PaymentPanel(props: PaymentPanelProps): ReactElement {
  const { locale, texts, slots, heading, ...payment } = props
  const isOfPage = payment.sessionId === undefined
  const look = useLook({ locale, texts, slots, heading: heading ?? (isOfPage ? 1 : 2) })
  return (
    <LookProvider value={look}>
      {payment.sessionId === undefined ? (
        <PaymentInAddress {...payment} />
      ) : (
        <FollowedPayment {...payment} sessionId={payment.sessionId} />
      )}
    </LookProvider>
  )
}

function PaymentInAddress(props: Omit<FollowedPaymentProps, "sessionId">): ReactElement {
  const { sessionId, returnId, page, returned } = usePaymentInAddress()
  // Another payment may have the remembered session by now.
  const [forgotten, setForgotten] = useState<string | null>(null)
  useEffect(() => {
    if (page) {
      location.replace(page)
    }
  }, [page])
  return (
    <FollowedPayment
      {...props}
      sessionId={returnId && forgotten === sessionId ? returnId : sessionId}
      returned={returned}
      onUnknown={() => setForgotten(sessionId)}
      onSession={(id) => {
        keepInAddress(id)
        props.onSession?.(id)
      }}
    />
  )
}
