import { MedusaError } from "@medusajs/framework/utils"

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
  switch (isCreation && error.kind === "not_found" ? "invalid" : error.kind) {
    case "invalid":
      return new MedusaError(
        MedusaError.Types.INVALID_DATA,
        "The payment service did not accept this payment. Please choose another way to pay or contact the shop."
      )
    case "not_found":
      return new MedusaError(
        MedusaError.Types.NOT_FOUND,
        "The payment service does not know this payment at the moment. If you have paid, please do not pay again, but wait a minute."
      )
    case "unauthorized":
      return new MedusaError(
        MedusaError.Types.UNEXPECTED_STATE,
        "This way to pay is not available at the moment. Please choose another one or contact the shop."
      )
    case "rate_limited":
      return new MedusaError(
        MedusaError.Types.UNEXPECTED_STATE,
        "The payment service has too many requests at the moment. Please try again in a minute or choose another way to pay."
      )
    case "link_refused":
    case "file_refused":
    case "unavailable":
    case "timeout":
    case "malformed":
      return new MedusaError(
        MedusaError.Types.UNEXPECTED_STATE,
        "The payment service does not answer at the moment. Please try again in a minute or choose another way to pay."
      )
  }
}
