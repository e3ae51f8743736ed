import { refusedPayment } from "../modules/payment-service/refused-deed"
import { PaymentServiceError } from "../service/errors"

/**
 * Turns an error of the service into one for Medusa's callers, with a sentence that tells a shopper what to do. It uses only
 * error types whose text core passes on; the details are in the log.
 *
 * @param isCreation whether a transaction was to be created: a 404 then says nothing about a payment, because there is none
 */
export function toMedusaError(error: unknown, isCreation = false): Error {
  if (!(error instanceof PaymentServiceError)) {
    return error instanceof Error ? error : new Error(String(error))
  }
  const kind = isCreation && error.kind === "not_found" ? "invalid" : error.kind
  switch (kind) {
    case "invalid":
    case "not_found":
    case "unauthorized":
    case "rate_limited":
      return refusedPayment(kind)
    default:
      return refusedPayment("no_answer")
  }
}
