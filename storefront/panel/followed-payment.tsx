import { type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from "react"
import { offerOf } from "../methods.js"
import { payableAddress, qrTexts } from "../payable-address.js"
import { bestForQr } from "../payment-qr.js"
import { hasOrder, type PaymentStatus } from "../payment-status.js"
import type { ReaderSource } from "../reader.js"
import { startPayment } from "../start-payment.js"
import { fillIn } from "../texts/index.js"
import { useOnPaid } from "../use-on-paid.js"
import { usePaymentStatus } from "../use-payment-status.js"
import { useTimeLeft } from "../use-time-left.js"
import { ActionButton, FailureNote } from "./action-button.js"
import { Frame } from "./frame.js"
import { useGivenLook } from "./look.js"
import { OpenPayment } from "./open-payment.js"
import { OrderNumber } from "./order-number.js"
import { useAction } from "./use-action.js"
import { type Addition, addition, reference, viewState, words } from "./view.js"

export interface FollowedPaymentProps {
  /** The payment session's id, `payses_…`, or the return id; empty without a payment, null while that is unknown. */
  sessionId: string | null
  /** The browser's own cart, if the shop's page knows it. With it the store tells the order also where a session alone does not do. */
  cartId?: string | null
  /** Called when the store does not know the payment. */
  onUnknown?: () => void
  /** The payment link that leads here. */
  collectionId?: string
  /** The shop's own `sdk` of `@medusajs/js-sdk`, a reader of `createReader`, or the store's address and publishable key. */
  reader: ReaderSource
  /** The payer has returned from the service: a pending payment *is being confirmed*, and its QR code is one click away. */
  returned?: boolean
  /**
   * The page that follows when the payment is paid and its order exists: an address with `{order_id}`. The browser's way back
   * from there skips this page, which is finished.
   */
  orderPage?: string
  /**
   * Called once, when the payment is paid and its order exists, before the panel goes to `orderPage`; not where the order is not
   * this browser's to see.
   */
  onPaid?: (orderId: string) => unknown
  /**
   * Replaces the action of *pay again*, which begins a payment for the same thing by the same method. If it returns the id of a
   * new payment session, or a promise of one, the panel follows that; if it throws, the error's message is shown.
   */
  onPayAgain?: (last: PaymentStatus) => unknown
  /** Called when the panel follows a new payment session, so that the shop can put it into the address. */
  onSession?: (sessionId: string) => unknown
  /** The target of *choose another method*: an address, or a function. It is not offered once there is an order. */
  changeMethod?: string | (() => void)
  /** A sign before the text; hidden from screen readers. */
  sign?: Addition
  /** How the shop is reached, for example a link; shown while a person there looks at the payment. */
  contact?: Addition
  /** The address of the shop's page to which a shopper goes on from there. */
  shopPage?: string
  /** More facts about the purchase, below the amount. */
  facts?: Addition
  /** More parts of the shop's own, at the end. */
  children?: Addition
  /** Offers another method also for an order. */
  changesMethodOfOrder?: boolean
  takesFocus?: boolean
}

/** A payment from its QR code to its end, inside a panel's look. */
export function FollowedPayment(props: FollowedPaymentProps): ReactElement {
  const { sessionId, reader } = props
  const look = useGivenLook()
  const { t, part, money } = look
  // A further attempt is followed until the shop gives another session.
  const [again, setAgain] = useState<{ after: string | null; sessionId: string } | null>(null)
  const followedId = again && again.after === sessionId ? again.sessionId : sessionId
  const [lookedBackAt, setLookedBackAt] = useState<string | null>(null)
  const watched = usePaymentStatus(followedId, reader, props)
  const { status, trouble, placingTakesLong, serverNow } = watched
  const msLeft = useTimeLeft(status?.state === "pending" ? status.expires_at : null, serverNow)
  const state = viewState(watched, msLeft === 0)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    if (state === "unknown") {
      latest.current.onUnknown?.()
    }
  }, [state, followedId])
  // Another browser than the one that began the payment is told only its sum and how it ends.
  const isToldAll = status?.provider_id !== null
  const view = { state, status }
  const isOpen = state === "pending" || state === "checking"
  const returned = Boolean(props.returned) && followedId === sessionId && lookedBackAt !== sessionId
  const showsPayment = isOpen && !returned && isToldAll
  const qr = useQr(showsPayment && msLeft !== 0 ? status : null)
  useOnPaid(state === "paid" ? status : null, (orderId) => {
    props.onPaid?.(orderId)
    if (props.orderPage) {
      location.replace(props.orderPage.replaceAll("{order_id}", encodeURIComponent(orderId)))
    }
  })

  const follow = (next: string) => {
    setAgain({ after: sessionId, sessionId: next })
    props.onSession?.(next)
  }
  const payAgain = useAction(async () => {
    if (!status) {
      return
    }
    const { provider_id: providerId, payment_collection_id: collectionId } = status
    const begin = () =>
      providerId && collectionId && startPayment(reader, { collectionId }, providerId)
    const next = await (props.onPayAgain ? props.onPayAgain(status) : begin())
    if (typeof next === "string") {
      follow(next)
    }
  }, t)
  const isReplaced = state === "replaced"
  const isOver = state === "canceled" || state === "expired" || isReplaced
  const openAttempt = isOver ? (status?.open_attempt ?? null) : null
  const offersAgain = status !== null && isOver && openAttempt === null && status.payable_again
  const offersChange =
    props.changeMethod !== undefined &&
    isToldAll &&
    (state === "pending" || isOver) &&
    (props.changesMethodOfOrder || !(status && hasOrder(status)))

  const offersBack = returned && state === "pending" && isToldAll

  return (
    <Frame
      state={state}
      {...words(view, t, { returned: returned || !isToldAll, placingTakesLong })}
      trouble={trouble}
      sign={addition(props.sign, view)}
      shows={{ payment: showsPayment, qr: qr !== null }}
      takesFocus={props.takesFocus}
    >
      {showsPayment && status && (
        <OpenPayment status={status} msLeft={msLeft} qr={qr} facts={addition(props.facts, view)} />
      )}
      {status && state !== "problem" && (!isToldAll || (state === "paid" && !status.order_id)) && (
        <div {...part("facts")}>
          <p {...part("amount")}>{money(status.amount, status.currency)}</p>
          {status.order_display_id && <OrderNumber number={status.order_display_id} />}
        </div>
      )}
      {state === "problem" && status && (
        <div {...part("reference")}>
          {reference(status, look).map((line) => line && <p key={line}>{line}</p>)}
          {addition(props.contact, view)}
          {props.shopPage && <a href={props.shopPage}>{t.backToShop}</a>}
        </div>
      )}
      <FailureNote failure={offersAgain ? payAgain.failure : null} />
      {(offersAgain || offersChange || offersBack || openAttempt !== null) && (
        <div {...part("actions")}>
          {offersBack && (
            <button {...part("back")} type="button" onClick={() => setLookedBackAt(sessionId)}>
              {t.backToPayment}
            </button>
          )}
          {openAttempt !== null && (
            <button
              {...part("continue")}
              type="button"
              onClick={() => follow(openAttempt.session_id)}
            >
              {`${t.continuePayment}: ${t[openAttempt.method]}`}
            </button>
          )}
          {offersAgain && (
            <ActionButton
              action={payAgain}
              name="pay-again"
              label={fillIn(isReplaced ? t.pay : t.payAgain, {
                amount: money(status.amount, status.currency),
              })}
            />
          )}
          {offersChange && <ChangeMethod to={props.changeMethod} />}
        </div>
      )}
      {addition(props.children, view)}
    </Frame>
  )
}

function ChangeMethod({ to }: { to: string | (() => void) | undefined }): ReactElement {
  const { t, part } = useGivenLook()
  return typeof to === "string" ? (
    <a {...part("change-method")} href={to}>
      {t.changeMethod}
    </a>
  ) : (
    <button {...part("change-method")} type="button" onClick={to}>
      {t.changeMethod}
    </button>
  )
}

/**
 * The QR code's text, or null where the payer needs the address: not each method is scanned, and a phone cannot scan its own
 * screen.
 */
function useQr(status: PaymentStatus | null): string | null {
  const wide = useWideScreen()
  const text = status && bestForQr(qrTexts(status))
  if (!status || text === null) {
    return null
  }
  const isOnlyWay = payableAddress(status) === null
  return isOnlyWay || (wide && offerOf(status.method).isScanned) ? text : null
}

const WIDE = "(min-width: 768px)"

/** Whether the screen is so wide that it is not the paying phone's. A server does not know, and answers no. */
function useWideScreen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => false
  )
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener("change", listener)
  return () => query.removeEventListener("change", listener)
}
