import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../../../modules/payment-service"
import { identifyTransaction } from "../../../../../../transactions/identify-transaction"
import { settlePortsOf } from "../../../../../../workflows/ports"
import { settleTransaction } from "../../../../../../workflows/settle/settle-transaction"
import { inReadersLanguage } from "../../../in-readers-language"
import { answerWithTransaction, requireTransaction } from "../../answer-with-transaction"
import type { IdentifyBody } from "../../validators"

/** Takes the service's id for a transaction whose creation had no reply, and settles it. */
export const POST = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest<IdentifyBody>, res: MedusaResponse) => {
    const module = paymentServiceModule(req.scope)
    const accounts = await module.accounts()
    const row = await requireTransaction(req)
    await identifyTransaction(module, accounts, row, req.validatedBody.transaction_id)
    await module.journal.add(row.id, "identified", req.auth_context.actor_id)
    await settleTransaction(settlePortsOf(req.scope), row.id, { accounts })
    await answerWithTransaction(req, res, await module.transactions.get(row.id))
  }
)
