import { paymentServiceModule } from "../../../../../../modules/payment-service"
import { settlePortsOf } from "../../../../../../workflows/ports"
import { identifyTransaction } from "../../../../../../workflows/problems/identify-transaction"
import { inReadersLanguage } from "../../../in-readers-language"
import { answerWithTransaction, requireTransaction } from "../../answer-with-transaction"
import type { IdentifyBody } from "../../validators"

/** Takes the service's id for a transaction whose creation had no reply, and settles it. */
export const POST = inReadersLanguage<IdentifyBody>(async (req, res) => {
  const module = paymentServiceModule(req.scope)
  const { id: rowId } = await requireTransaction(req)
  const { transaction_id } = req.validatedBody
  const by = req.auth_context.actor_id
  await identifyTransaction(settlePortsOf(req.scope), rowId, transaction_id, by)
  await answerWithTransaction(req, res, await module.transactions.get(rowId))
})
