import { hasText, joined, type Sum, text, type Text } from "../../texts"
import { type Refusal, refusalText } from "./refusals"

/** The facts of each kind of difference. They are stored as JSON. */
interface Facts {
  // Differences between the service's description of a transaction and our request; null is a fact that the service does not
  // give.
  merchant: { read: string | null; ours: string }
  /** The reference that was read may be somebody else's, so only whether there was one is kept. */
  reference: { isNamed: boolean; ours: string }
  currency: { read: string; asked: string }
  amount: { read: Sum; asked: Sum }
  accepted_amount: { read: Sum; accepted: Sum }
  unlisted_status: { status: string }
  reversed: { status: string }
  // Differences between the service's answer now and the state that a person saw when they took care of the money.
  paid_since_handled: object
  amount_since_handled: { read: Sum; handled: Sum }
  currency_since_handled: { read: Sum; handled: Sum }
  // Differences between Medusa and the transaction.
  session_sum: { session: string; is: Sum; transaction: Sum }
  cart_total: { cart: string; is: Sum; session: Sum }
  accepted_cart_total: { cart: string; is: Sum; accepted: Sum }
  session_gone: object
  target_gone: object
  order_gone: { order: string }
  payment_canceled: { payment: string }
  order_canceled: { order: string }
  /** Another payment was taken; `order` is null for a collection without an order. */
  other_payment: { payment: string; order: string | null }
  order_owed: { order: string; owed: Sum }
  order_paid: { order: string }
  /** Another payment is authorized and not captured. */
  promised_otherwise: { order: string | null; payment?: string }
  /** The order was changed since the payment was opened. */
  nothing_owed: { order: string }
}

/** A fact that shows how a paid transaction is not in order. */
export type Difference = { [What in keyof Facts]: { what: What } & Facts[What] }[keyof Facts]

/** A difference as text. One that another version of this package has stored shows at least its name. */
export function differenceText({ what, ...facts }: Difference): Text {
  // A fact that the service does not name, and a payment without an order, have texts of their own.
  const code = Object.values(facts).every(Boolean) ? what : `${what}_missing`
  return hasText("differences", code) ? text("differences", code, facts) : { en: what, ru: what }
}

/** Why a row is not in order: a difference, or a refusal of Medusa or the service. */
export type Reason = Difference | Refusal

export function reasonsText(reasons: readonly Reason[]): Text {
  return joined(
    reasons.map((reason) => ("what" in reason ? differenceText(reason) : refusalText(reason))),
    "; "
  )
}

/** The reasons for a log, in English. A refusal keeps Medusa's or the service's own words. */
export function reasonsForLog(reasons: readonly Reason[]): string {
  return reasons
    .map((reason) => ("code" in reason && reason.detail) || reasonsText([reason]).en)
    .join("; ")
}
