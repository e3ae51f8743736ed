import { type Code, hasText, joined, type Sum, text, type Text } from "../../texts"

/** A refusal as a code. `detail` is Medusa's or the service's message; it is empty for a refusal of the plugin itself. */
export interface Refusal {
  code: RefusalCode
  detail: string
}

/** `other` is every refusal that has no code. Those of the service are named as in its client. */
export type RefusalCode = Code<"refusals"> | "other"

/** Messages by which errors are recognised, because core drops the codes of errors. */
const WORDS: Partial<Record<Code<"refusals">, RegExp>> = {
  // Medusa's refusals, among them those of its locking providers: in memory, Postgres and Redis.
  out_of_stock: /does not have the required inventory|Not enough stock|is not stocked at location/,
  cart_locked: /acquir(e|ing) lock|already locked/,
  // When its database is slow, core's engine stops a workflow in the middle, and the second message hides the first.
  workflow_broke: /^Max retries \(\d+\) exceeded for saving checkpoint|^Updating Stat(e|us) from "/,
  payment_canceled: /^The payment: \S+ has been canceled/,
  method_disabled: /not enabled in the cart's region/,
  has_fulfillments: /^All fulfillments must be canceled/,
  // The service's refusals, with the messages of `toMedusaError`.
  invalid: /^The payment service did not accept this payment/,
  unauthorized: /^This way to pay is not available at the moment/,
  not_found: /^The payment service does not know this payment/,
  rate_limited: /^The payment service has too many requests at the moment/,
  no_answer: /^The payment service does not answer at the moment/,
  // The plugin's own refusals.
  not_taken: /^Medusa has completed the cart and not taken the payment/,
  no_account: /^Transaction \S+ was created for a merchant, or at an address, that is no longer/,
  // Core's message, and ours.
  not_authorized: /^session:? \S+ was not authorized/i,
  not_confirmed: /^The payment service has not confirmed this payment/,
  order_half_made: /^Order \S+ was begun for this cart/,
  session_gone: /^Payment session \S+ is not there any more/,
  cart_changed: /^The cart has changed since this payment was started/,
  other_cart: /^This payment belongs to another cart/,
  taken_already: /^This payment has been taken already/,
  paid: /^This payment has been paid and/,
  busy: /^This payment is being looked at right now/,
}

/** The refusal that a message of Medusa, or of the shop's own code within it, means. */
export function medusaRefusal(detail: string): Refusal {
  const known = Object.entries(WORDS).find(([, words]) => words.test(detail))
  return { code: (known?.[0] ?? "other") as RefusalCode, detail }
}

/** A refusal as text. One without a code, or with one of another version, is shown as it came. */
export function refusalText({ code, detail }: Refusal): Text {
  return hasText("refusals", code) ? text("refusals", code) : { en: detail, ru: detail }
}

/** The text of a refusal of the service with the service's own words, which `detail` then holds alone, as they came. */
export function textWithWords(refusal: Refusal): Text {
  const why = refusalText(refusal)
  return refusal.detail ? text("problems", "in_words", { why, words: refusal.detail }) : why
}

/** The facts of each kind of difference. They are stored as JSON. */
interface Facts {
  // Between the service's description of a transaction and our request; null is a fact that the service does not give.
  merchant: { read: string | null; ours: string }
  /** The reference that was read may be somebody else's, so only whether there was one is kept. */
  reference: { isNamed: boolean; ours: string }
  currency: { read: string; asked: string }
  amount: { read: Sum; asked: Sum }
  accepted_amount: { read: Sum; accepted: Sum }
  unlisted_status: { status: string }
  reversed: { status: string }
  // Between the service's answer now and the state that a person saw when they took care of the money.
  paid_since_handled: object
  amount_since_handled: { read: Sum; handled: Sum }
  currency_since_handled: { read: Sum; handled: Sum }
  // Between Medusa and the transaction.
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
  const each = reasons.map((one) => ("what" in one ? differenceText(one) : refusalText(one)))
  return joined(each, "; ")
}

/** The reasons for a log, in English. A refusal keeps Medusa's or the service's own words. */
export function reasonsForLog(reasons: readonly Reason[]): string {
  return reasons.map((one) => ("code" in one && one.detail) || reasonsText([one]).en).join("; ")
}
