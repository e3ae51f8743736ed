"use client"

import { type ReactElement, type ReactNode, useSyncExternalStore } from "react"
import { sessionOfCollection } from "./begun-payments.js"
import { type LookProps, useLook } from "./panel/look.js"
import { viewState, words } from "./panel/view.js"
import type { ReaderSource } from "./reader.js"
import { fillIn } from "./texts/index.js"
import { useOnPaid } from "./use-on-paid.js"
import { usePaymentStatus } from "./use-payment-status.js"
import { useTimeLeft } from "./use-time-left.js"

export interface OpenPaymentLineProps extends Omit<LookProps, "heading"> {
  /** The session of the payment that was begun last, of `openSession(cart)` for example; null shows nothing. */
  sessionId: string | null
  /** The cart's payment collection. With it, a payment of this browser is followed also when the cart has lost its session. */
  collectionId?: string | null
  reader: ReaderSource
  /** The page that shows the payment: an address, with `{session_id}` if it needs the session. */
  href: string
  /** Called once, when the payment is paid and its order exists: the cart is an order then. */
  onPaid?: (orderId: string) => unknown
  /** The page that follows then: an address with `{order_id}`. */
  orderPage?: string
  /** The shop's way to pay for the cart; hidden as soon as its money came. */
  children?: ReactNode
}

const MINUTE_MS = 60_000

/**
 * One line for the cart and the checkout: a payment of this sum is open, with its time and a link to go on, or its money came and
 * nobody needs to pay again. It shows nothing where nothing is open.
 */
export function OpenPaymentLine(props: OpenPaymentLineProps): ReactElement {
  const {
    collectionId,
    reader,
    href,
    onPaid,
    orderPage,
    children,
    sessionId: given,
    ...looks
  } = props
  const { t, part, money, minutes } = useLook(looks)
  const begun = useSyncExternalStore(
    noChanges,
    () => (collectionId ? sessionOfCollection(collectionId) : null),
    () => null
  )
  const sessionId = given ?? begun
  const watched = usePaymentStatus(sessionId, reader)
  const { status } = watched
  const msLeft = useTimeLeft(
    status?.state === "pending" ? status.expires_at : null,
    watched.serverNow
  )
  const state = viewState(watched, msLeft === 0)
  useOnPaid(state === "paid" ? status : null, (orderId) => {
    onPaid?.(orderId)
    if (orderPage) {
      location.assign(orderPage.replaceAll("{order_id}", encodeURIComponent(orderId)))
    }
  })
  const hasMoney = ["placing", "paid", "problem"].includes(state)
  const rest = hasMoney ? null : children
  if (!status || state === "paid" || !(hasMoney || ["pending", "checking"].includes(state))) {
    return <>{rest}</>
  }
  const left = msLeft === null ? "" : ` ${t.timeLeft}: ${minutes(Math.ceil(msLeft / MINUTE_MS))}.`
  const sentence =
    state === "pending"
      ? fillIn(t.openPayment, { amount: money(status.amount, status.currency) }) + left
      : `${words({ state, status }, t).title}.`
  return (
    <>
      <p {...part("open-payment")} data-state={state}>
        {sentence}{" "}
        <a
          {...part("continue")}
          href={href.replaceAll("{session_id}", encodeURIComponent(sessionId ?? ""))}
        >
          {hasMoney ? t.paymentDetails : t.continuePayment}
        </a>
      </p>
      {rest}
    </>
  )
}

const noChanges = () => () => {}
