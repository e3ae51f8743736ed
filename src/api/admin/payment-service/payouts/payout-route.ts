import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { PaymentServiceError } from "../../../../service/errors"
import { withoutCardNumbers } from "../../../../settlement/payouts/card-text"
import { reasonOf } from "../../../../modules/payment-service/reason-of"
import { PayoutRefused } from "../../../../workflows/payouts/refused"

type Handler = (req: AuthenticatedMedusaRequest, res: MedusaResponse) => Promise<void>

/**
 * A route about payouts. What is refused is answered with its code, in each language. Any other error is told and logged
 * in words without card numbers, because core prints errors with all that they hold.
 */
export function payoutRoute(handle: Handler): Handler {
  return async (req, res) => {
    try {
      await handle(req, res)
    } catch (error) {
      if (error instanceof PayoutRefused) {
        const { type, code, message, messages } = error
        res.status(400).json({ type, code, message, messages })
        return
      }
      const { logger } = paymentServiceModule(req.scope)
      const detail = withoutCardNumbers(reasonOf(error))
      if (MedusaError.isMedusaError(error)) throw new MedusaError(error.type, detail, error.code)
      if (error instanceof PaymentServiceError) {
        throw new MedusaError(MedusaError.Types.NOT_ALLOWED, detail, error.kind)
      }
      logger.error(`Payment Service: a request about payouts failed: ${detail}`)
      throw new MedusaError(
        MedusaError.Types.UNEXPECTED_STATE,
        "This went wrong in the store itself. Look at the payout before you do anything again."
      )
    }
  }
}
