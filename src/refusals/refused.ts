import { MedusaError } from "@medusajs/framework/utils"

import { medusaRefusal, type Refusal, refusalText } from "../problems/rules/reasons"
import { PaymentServiceError } from "../service/errors"
import { type Code, type Facts, text, type Text } from "../texts"

/** The plugin's refusal of a request. The message is English; the admin's routes answer in the reader's language. */
export class RefusedAction extends MedusaError {
  /** @param facts what is said in the messages, for scripts; sums are decimal text */
  constructor(
    code: string,
    readonly messages: Text,
    readonly facts: object = {},
    type: string = MedusaError.Types.NOT_ALLOWED
  ) {
    super(type, messages.en, code)
  }
}

/** The refusal of this code, type `NOT_ALLOWED`. Each text says what to do instead; sums are as the reader has typed or seen them. */
export const refused = (code: Code<"refusedActions">, facts?: Facts) =>
  new RefusedAction(code, text("refusedActions", code, facts), facts)

const { INVALID_DATA, NOT_ALLOWED, NOT_FOUND, UNEXPECTED_STATE } = MedusaError.Types
const TYPES: Partial<Record<Code<"refusedPayments">, string>> = {
  busy: UNEXPECTED_STATE,
  unknown_payment: NOT_FOUND,
  never_opened: NOT_FOUND,
  no_such_payment: NOT_FOUND,
  no_such_link: NOT_FOUND,
  session_gone: NOT_FOUND,
  needs_email: INVALID_DATA,
  no_session: INVALID_DATA,
  no_amount: INVALID_DATA,
  nothing_to_pay: INVALID_DATA,
  other_currency: INVALID_DATA,
  no_collection_for_rest: UNEXPECTED_STATE,
  invalid: INVALID_DATA,
  not_found: NOT_FOUND,
  unauthorized: UNEXPECTED_STATE,
  rate_limited: UNEXPECTED_STATE,
  no_answer: UNEXPECTED_STATE,
}

/** The refusal of what core, for a shopper or an admin, asks of a payment, type `NOT_ALLOWED` unless `TYPES` says otherwise. */
export function refusedPayment(code: Code<"refusedPayments">, facts?: Facts): RefusedAction {
  const type = TYPES[code] ?? NOT_ALLOWED
  return new RefusedAction(code, text("refusedPayments", code, facts), facts, type)
}

export const notFound = (code: Code<"notFound">, id: string) =>
  new RefusedAction(code, text("notFound", code, { id }), { id }, NOT_FOUND)

/** The message of an error. One that came through a workflow is a plain object with an error's fields. */
export function reasonOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error)
}

/** Code of the shop may throw anything. */
export const asError = (error: unknown) =>
  error instanceof Error ? error : new Error(reasonOf(error))

/** The code is the kind of the service's error, or that of a known message of Medusa. */
export function refusalOf(error: unknown): Refusal {
  const detail = reasonOf(error)
  return error instanceof PaymentServiceError ? { code: error.kind, detail } : medusaRefusal(detail)
}

/** An error in each language: in English its whole message, in Russian its meaning, with the service's words if they may be quoted. */
export function messagesOf(error: unknown): Text {
  const refusal = refusalOf(error)
  const said = error instanceof PaymentServiceError && error.detail ? `: ${error.detail}` : ""
  return { en: refusal.detail, ru: refusalText(refusal).ru + said }
}
