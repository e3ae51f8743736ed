import { medusaRefusal, type Refusal, refusalText } from "../problems/rules/reasons"
import { PaymentServiceError } from "../service/errors"
import type { Text } from "../texts"

/** The message of an error. One that came through a workflow is a plain object with an error's fields. */
export function reasonOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error)
}

/** Code of the shop may throw anything. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(reasonOf(error))
}

/** The message and code of an error: the kind of the service's error, or the code of a known message of Medusa. */
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
