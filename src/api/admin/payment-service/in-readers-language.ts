import type {
  AuthenticatedMedusaRequest,
  MedusaRequest,
  MedusaResponse,
} from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../../../modules/payment-service"
import { withoutCardNumbers } from "../../../payouts/rules/card-text"
import { medusaRefusal, refusalText } from "../../../problems/rules/reasons"
import { messagesOf, reasonOf } from "../../../refusals/reason-of"
import { RefusedAction } from "../../../refusals/refused"
import { PaymentServiceError, type PaymentServiceErrorKind } from "../../../service/errors"
import { text, type Text } from "../../../texts"

const { NOT_FOUND, UNEXPECTED_STATE } = MedusaError.Types

/** Failures that last until a person corrects the options. */
const BY_OPTIONS: PaymentServiceErrorKind[] = ["unauthorized", "link_refused"]

/** A request of an admin, with the body and the query that the validators of its route have checked. */
export type Asked<Body = unknown, Query = Record<string, unknown>> = AuthenticatedMedusaRequest<
  Body,
  Query
>

/** The reader's language, by the header `Accept-Language`: Russian, else English. */
export const languageOf = (req: Pick<MedusaRequest, "acceptsLanguages">): keyof Text =>
  req.acceptsLanguages("en", "ru") === "ru" ? "ru" : "en"

/**
 * Makes a route answer with what the function returns, or with a refusal in the reader's language; a function that returns nothing
 * has answered itself. The `code` of a refusal is the same in both languages, and `messages` has both texts of the plugin's own. Other
 * errors are answered, too, because core would hide them, and without card numbers, because core logs and answers all of an error.
 * The dashboard takes the answer's type from the route's.
 *
 * @param failed what is said after a failure of the store itself
 */
export function inReadersLanguage<Body = unknown, Query = Record<string, unknown>, Answer = void>(
  answer: (req: Asked<Body, Query>, res: MedusaResponse) => Promise<Answer>,
  failed = text("answers", "unexpected", { advice: text("answers", "try_again") })
) {
  return async (req: Asked<Body, Query>, res: MedusaResponse): Promise<Answer | undefined> => {
    const language = languageOf(req)
    const answered = async () => {
      const body = await answer(req, res)
      if (body !== undefined) res.json(body)
      return body
    }
    return await answered().catch((error: unknown) => {
      if (error instanceof RefusedAction) {
        const { type, code, messages, facts } = error
        const status = type === NOT_FOUND ? 404 : 400
        res.status(status).json({ type, code, message: messages[language], messages, facts })
        return undefined
      }
      if (MedusaError.isMedusaError(error)) {
        const refusal = medusaRefusal(error.message)
        if (language === "en" || refusal.code === "other") {
          throw new MedusaError(error.type, withoutCardNumbers(error.message), error.code)
        }
        const said = text("answers", "refused", { why: refusalText(refusal) })
        throw new MedusaError(error.type, said[language], refusal.code)
      }
      if (error instanceof PaymentServiceError) {
        const isByOptions = BY_OPTIONS.includes(error.kind)
        const advice = text("answers", isByOptions ? "correct_options" : "try_again")
        const said = text("answers", "service_failed", { why: messagesOf(error), advice })
        throw new MedusaError(UNEXPECTED_STATE, said[language], error.kind)
      }
      // It is a fault of the code or the database, whose words may be SQL.
      paymentServiceModule(req.scope).logger.error(withoutCardNumbers(reasonOf(error)))
      throw new MedusaError(UNEXPECTED_STATE, failed[language])
    })
  }
}
