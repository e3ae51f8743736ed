"use client"

import type { ReactElement } from "react"
import { useState } from "react"
import { FollowedPayment, type FollowedPaymentProps } from "./panel/followed-payment.js"
import { LookProvider, type LookProps, useLook } from "./panel/look.js"
import { OrderNumber } from "./panel/order-number.js"
import { PaymentChoice } from "./panel/payment-choice.js"
import { usePaymentLink } from "./panel/use-payment-link.js"
import { addition } from "./panel/view.js"

export interface PaymentLinkPanelProps
  extends
    LookProps,
    Pick<FollowedPaymentProps, "onSession" | "sign" | "facts" | "children" | "reader"> {
  /** The payment collection of the link, `<storefront>/payment-collection/<id>`; Medusa's dashboard appends the order's id. */
  collectionId: string
}

/**
 * The page of a payment link: the sum of an order, the choice of a method, and the payment to its end. It also fits the page
 * of an order that was placed before its payment. It shows nothing of the order but its number and the sum.
 */
export function PaymentLinkPanel(props: PaymentLinkPanelProps): ReactElement {
  const { locale, texts, slots, heading, ...rest } = props
  const look = useLook({ locale, texts, slots, heading })
  return (
    <LookProvider value={look}>
      {/* Another link mounts it anew. */}
      <LinkedPayment key={props.collectionId} {...rest} />
    </LookProvider>
  )
}

function LinkedPayment(props: Omit<PaymentLinkPanelProps, keyof LookProps>): ReactElement {
  const { collectionId, reader, onSession } = props
  const { link, trouble, unknown, readAgain } = usePaymentLink(collectionId, reader)
  const [sessionId, setSessionId] = useState<string | null>(null)
  // The payer's action removed the part that had the focus.
  const [hasChosen, setHasChosen] = useState(false)
  const [choosesAnother, setChoosesAnother] = useState(false)
  const open = link?.state === "payable" ? link.session_id : null
  const followed = choosesAnother ? null : (sessionId ?? open)

  if (link && followed) {
    return (
      <FollowedPayment
        {...props}
        sessionId={followed}
        facts={(view) => (
          <>
            <OrderNumber number={link.order_display_id} />
            {addition(props.facts, view)}
          </>
        )}
        changeMethod={
          link.providers.length > 1
            ? () => {
                setHasChosen(true)
                setChoosesAnother(true)
                readAgain()
              }
            : undefined
        }
        changesMethodOfOrder
        takesFocus={hasChosen}
      />
    )
  }
  return (
    <PaymentChoice
      link={link}
      trouble={trouble}
      unknown={unknown}
      reader={reader}
      sign={props.sign}
      takesFocus={hasChosen}
      onStarted={(started) => {
        setHasChosen(true)
        setChoosesAnother(false)
        setSessionId(started)
        onSession?.(started)
      }}
      onRefused={readAgain}
    />
  )
}
