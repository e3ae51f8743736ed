import type { ReactNode } from "react"
import { hasOrder, type PaymentStatus } from "../payment-status.js"
import { fillIn, type PaymentTexts } from "../texts/index.js"
import type { WatchedPayment } from "../use-payment-status.js"
import type { Look } from "./look.js"

/** A panel's state, and the value of its `data-state`. */
export type ViewState =
  | "loading"
  | "unknown"
  | "pending"
  /** The time to pay is over, and the store has not given the outcome yet. */
  | "checking"
  /** Paid; the order is being placed. */
  | "placing"
  | "paid"
  | "canceled"
  | "expired"
  /** The cart has changed, or another way to pay was chosen: what was shown is offered no more. */
  | "replaced"
  /** Money came, and a person at the shop has to look at it. */
  | "problem"

export interface PaymentView {
  state: ViewState
  status: PaymentStatus | null
}

/** A shop's addition to a panel: the same in every state, or made for the shown one. */
export type Addition = ReactNode | ((view: PaymentView) => ReactNode)

export function addition(added: Addition, view: PaymentView): ReactNode {
  return typeof added === "function" ? added(view) : added
}

/** The state to show. Only the store's own answer makes it paid. */
export function viewState(
  { status, unknown, placingTakesLong }: Omit<WatchedPayment, "serverNow">,
  isTimeOver: boolean
): ViewState {
  if (unknown) {
    return "unknown"
  }
  if (!status) {
    return "loading"
  }
  switch (status.state) {
    case "pending":
      return isTimeOver ? "checking" : "pending"
    case "paid":
      if (hasOrder(status)) {
        return "paid"
      }
      return placingTakesLong ? "problem" : "placing"
    case "canceled":
    case "expired":
    case "replaced":
    case "problem":
      return status.state
    default:
      // A newer plugin in the store may have further states.
      return "checking"
  }
}

/** The panel's heading and the sentence below it; the texts have the states' names. */
export function words(
  { state, status }: PaymentView,
  t: PaymentTexts,
  { returned, placingTakesLong }: { returned?: boolean; placingTakesLong?: boolean } = {}
): { title: string; note: string | null } {
  if (state === "loading") {
    return { title: t.loading, note: null }
  }
  const waiting = returned ? "confirming" : "waiting"
  const name = state === "pending" ? waiting : state === "problem" ? "attention" : state
  const texts = { title: t[name], note: t[`${name}Note`] }
  if (state === "canceled" && status && hasOrder(status)) {
    return { ...texts, note: t.orderKept }
  }
  if (state === "expired" && status) {
    return { ...texts, note: expiredNote(status, t) }
  }
  return state === "problem" && placingTakesLong
    ? { ...texts, note: `${t.attentionNote} ${t.stillChecking}` }
    : texts
}

function expiredNote(status: PaymentStatus, t: PaymentTexts): string {
  if (!hasOrder(status)) {
    return t.expiredNote
  }
  return status.payable_again ? t.orderKept : t.orderLapsed
}

/** The details that the shopper can quote to the shop: the sum and a short number, and the time when it came. */
export function reference(
  { id, amount, currency, paid_at, reference: number }: PaymentStatus,
  { t, money, time }: Look
): [words: string, time: string | null] {
  const words = fillIn(t.reference, { amount: money(amount, currency), id: number ?? id })
  return [words, paid_at ? time(paid_at) : null]
}
