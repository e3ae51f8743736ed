import { PaymentServiceError } from "../../service/errors"
import { medusaRefusal, type Refusal } from "../../settlement/problems/refusals"

/** What went wrong, in words: an error that crossed a workflow arrives as a plain object with its fields. */
export function reasonOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error)
}

/** Whether it is an error of a call to the service; a workflow turns such an error into a plain object. */
export function isServiceError(error: unknown): error is Pick<PaymentServiceError, "kind"> {
  return (
    typeof error === "object" &&
    error !== null &&
    "name" in error &&
    error.name === PaymentServiceError.name &&
    "kind" in error
  )
}

/** What went wrong, with a code: the kind of the service's error, or that of a known message of Medusa. */
export function refusalOf(error: unknown): Refusal {
  const detail = reasonOf(error)
  return isServiceError(error) ? { code: error.kind, detail } : medusaRefusal(detail)
}
