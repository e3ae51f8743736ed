import { PaymentServiceError } from "../../service/errors"
import { medusaRefusal, type Refusal, refusalMessages } from "../../settlement/problems/refusals"
import type { Text } from "../../texts"

/** The message of an error. One that came through a workflow is a plain object with an error's fields. */
export function reasonOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error)
}

/** The message and code of an error: the kind of the service's error, or the code of a known message of Medusa. */
export function refusalOf(error: unknown): Refusal {
  const detail = reasonOf(error)
  return error instanceof PaymentServiceError ? { code: error.kind, detail } : medusaRefusal(detail)
}

/** An error's message in each language, with the service's own words where they may be quoted. */
export function messagesOf(error: unknown): Text {
  const said = error instanceof PaymentServiceError ? error.detail : undefined
  return refusalMessages(refusalOf(error), said)
}
