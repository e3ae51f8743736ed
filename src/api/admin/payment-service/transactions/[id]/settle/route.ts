import { paymentServiceModule } from "../../../../../../modules/payment-service"
import { refused } from "../../../../../../modules/payment-service/refused-deed"
import { settlePortsOf } from "../../../../../../workflows/ports"
import { settleTransaction } from "../../../../../../workflows/settle/settle-transaction"
import { inReadersLanguage } from "../../../in-readers-language"
import { answerWithTransaction, requireTransaction } from "../../answer-with-transaction"

/** Reads the transaction at the service now, and makes Medusa follow. */
export const POST = inReadersLanguage(async (req, res) => {
  const module = paymentServiceModule(req.scope)
  const { id, transaction_id: transactionId } = await requireTransaction(req)
  if (transactionId === null) throw refused("id_unknown")
  await module.journal.add(id, "checked", {}, req.auth_context.actor_id)
  await settleTransaction(settlePortsOf(req.scope), id)
  await answerWithTransaction(req, res, await module.transactions.get(id))
})
