import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../../../modules/payment-service"
import { messagesOf, reasonOf, refusalOf } from "../../../modules/payment-service/reason-of"
import { RefusedDeed } from "../../../modules/payment-service/refused-deed"
import { PaymentServiceError, type PaymentServiceErrorKind } from "../../../service/errors"
import { medusaRefusal, refusalText } from "../../../settlement/problems/refusals"
import { text, type Text } from "../../../texts"

/** Failures that last until a person corrects the options. */
const BY_OPTIONS: PaymentServiceErrorKind[] = ["unauthorized", "link_refused"]

/**
 * Makes a route answer refusals in the reader's language, by the header `Accept-Language`: Russian, else English. The answer's
 * `code` is the same in both, and `messages` has both texts of the plugin's own refusals. Other errors are answered, too, because
 * core would hide them.
 */
export function inReadersLanguage<Body>(
  answer: (req: AuthenticatedMedusaRequest<Body>, res: MedusaResponse) => Promise<void>
) {
  return async (req: AuthenticatedMedusaRequest<Body>, res: MedusaResponse): Promise<void> => {
    const language = req.acceptsLanguages("en", "ru") === "ru" ? "ru" : "en"
    await answer(req, res).catch((error: unknown) => {
      if (!(error instanceof RefusedDeed)) {
        if (isUnexpected(error)) paymentServiceModule(req.scope).logger.error(reasonOf(error))
        throw inLanguage(error, language)
      }
      const { type, code, messages, facts } = error
      const status = type === MedusaError.Types.NOT_FOUND ? 404 : 400
      res.status(status).json({ type, code, message: messages[language], messages, facts })
    })
  }
}

/** Whether an error is neither the service's nor Medusa's, but a fault of the code or the database, whose words may be SQL. */
const isUnexpected = (error: unknown) =>
  !MedusaError.isMedusaError(error) && !(error instanceof PaymentServiceError)

function inLanguage(error: unknown, language: keyof Text): unknown {
  const tryAgain = text("answers", "try_again")
  const { UNEXPECTED_STATE } = MedusaError.Types
  if (MedusaError.isMedusaError(error)) {
    const refusal = medusaRefusal(error.message)
    if (language === "en" || refusal.code === "other") return error
    const said = text("answers", "refused", { why: refusalText(refusal) })
    return new MedusaError(error.type, said[language], refusal.code)
  }
  if (isUnexpected(error)) {
    const said = text("answers", "unexpected", { advice: tryAgain })
    return new MedusaError(UNEXPECTED_STATE, said[language])
  }
  const said = text("answers", "service_failed", {
    why: messagesOf(error),
    advice: BY_OPTIONS.includes((error as PaymentServiceError).kind)
      ? text("answers", "correct_options")
      : tryAgain,
  })
  return new MedusaError(UNEXPECTED_STATE, said[language], refusalOf(error).code)
}
