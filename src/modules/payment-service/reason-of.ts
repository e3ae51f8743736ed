import { PaymentServiceError } from "../../service/errors"
import { medusaRefusal, type Refusal } from "../../settlement/problems/refusals"

/** What went wrong, in words: an error that crossed a workflow arrives as a plain object with its fields. */
export function reasonOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error)
}

/** What went wrong, with a code: the kind of the service's error, or that of a known message of Medusa. */
export function refusalOf(error: unknown): Refusal {
  const detail = reasonOf(error)
  return error instanceof PaymentServiceError ? { code: error.kind, detail } : medusaRefusal(detail)
}
