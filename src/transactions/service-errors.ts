import { asError } from "../modules/payment-service/reason-of"
import { refusedPayment } from "../modules/payment-service/refused-deed"
import { PaymentServiceError } from "../service/errors"

const SAID = ["invalid", "not_found", "unauthorized", "rate_limited"] as const

/**
 * Turns an error of the service into one for Medusa's callers, with a sentence that tells a shopper what to do. It uses only
 * error types whose text core passes on; the details are in the log.
 *
 * @param isCreation whether a transaction was to be created: a 404 then says nothing about a payment, because there is none
 */
export function toMedusaError(error: unknown, isCreation = false): Error {
  if (!(error instanceof PaymentServiceError)) return asError(error)
  const kind = isCreation && error.kind === "not_found" ? "invalid" : error.kind
  return refusedPayment(SAID.find((one) => one === kind) ?? "no_answer")
}
