import { PaymentServiceError } from "../../service/errors"
import { medusaRefusal, type Refusal } from "../../settlement/problems/refusals"

/** What went wrong, in words: an error that crossed a workflow arrives as a plain object with its fields. */
export function reasonOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error)
}

/** The same with a code: the service's own, or that of what Medusa is known to say. */
export function refusalOf(error: unknown): Refusal {
  const detail = reasonOf(error)
  return error instanceof PaymentServiceError ? { code: error.kind, detail } : medusaRefusal(detail)
}
