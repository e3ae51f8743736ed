import { PaymentServiceError } from "../../service/errors"
import { medusaRefusal, type Refusal } from "../../settlement/problems/refusals"

/** What went wrong, in words: an error that crossed a workflow arrives as a plain object with its fields. */
export function reasonOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error)
}

/** Is it, or was it before it crossed a workflow, an error of a call to the service? */
export function isServiceError(error: unknown): error is Pick<PaymentServiceError, "kind"> {
  return (
    typeof error === "object" &&
    error !== null &&
    "name" in error &&
    error.name === PaymentServiceError.name &&
    "kind" in error
  )
}

/** The same with a code: the service's own, or that of what Medusa is known to say. */
export function refusalOf(error: unknown): Refusal {
  const detail = reasonOf(error)
  return isServiceError(error) ? { code: error.kind, detail } : medusaRefusal(detail)
}
