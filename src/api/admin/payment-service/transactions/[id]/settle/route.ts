import { paymentServiceModule } from "../../../../../../modules/payment-service"
import { refused } from "../../../../../../modules/payment-service/refused-deed"
import { queueOf } from "../../../../../../workflows/settle/queue"
import { inReadersLanguage } from "../../../in-readers-language"
import { answerWithTransaction, requireTransaction } from "../../answer-with-transaction"

/** Reads the transaction at the service now, and makes Medusa follow. */
export const POST = inReadersLanguage(async (req, res) => {
  const module = paymentServiceModule(req.scope)
  const row = await requireTransaction(req)
  if (row.transaction_id === null) throw refused("id_unknown")
  await module.enterDeed(row.id, "checked", {}, req.auth_context.actor_id)
  await answerWithTransaction(req, res, await queueOf(module).settle(row))
})
