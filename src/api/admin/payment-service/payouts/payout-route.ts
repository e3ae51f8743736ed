import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { reasonOf } from "../../../../modules/payment-service/reason-of"
import { RefusedDeed } from "../../../../modules/payment-service/refused-deed"
import { PaymentServiceError } from "../../../../service/errors"
import { withoutCardNumbers } from "../../../../settlement/payouts/card-text"
import { text } from "../../../../texts"
import { inReadersLanguage } from "../in-readers-language"

type Handler = (req: AuthenticatedMedusaRequest, res: MedusaResponse) => Promise<void>

/**
 * A route about payouts. Any error but the plugin's own refusals is answered and logged as text without card numbers, because
 * core prints errors with all their fields.
 */
export function payoutRoute(handle: Handler): Handler {
  return inReadersLanguage(async (req, res) => {
    try {
      await handle(req, res)
    } catch (error) {
      if (error instanceof RefusedDeed) throw error
      const { logger } = paymentServiceModule(req.scope)
      const detail = withoutCardNumbers(reasonOf(error))
      if (MedusaError.isMedusaError(error)) throw new MedusaError(error.type, detail, error.code)
      if (error instanceof PaymentServiceError) {
        throw new MedusaError(MedusaError.Types.NOT_ALLOWED, detail, error.kind)
      }
      logger.error(`Payment Service: a request about payouts failed: ${detail}`)
      const language = req.acceptsLanguages("en", "ru") === "ru" ? "ru" : "en"
      const said = text("payoutAnswers", "store_failed")
      throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, said[language])
    }
  })
}
