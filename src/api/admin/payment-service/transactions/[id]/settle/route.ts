import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../../../modules/payment-service"
import { settlePortsOf } from "../../../../../../workflows/settle/ports"
import { settleTransaction } from "../../../../../../workflows/settle/settle-transaction"
import { orMedusaError } from "../../../problems/service-errors"
import { answerWithTransaction, requireTransaction } from "../../answer-with-transaction"

/** Has the service asked for the transaction now, and brings Medusa to what it says. */
export async function POST(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const { id } = await requireTransaction(req)
  await module.journal.add(id, "checked", req.auth_context.actor_id)
  await settleTransaction(settlePortsOf(req.scope), id).catch(orMedusaError)
  await answerWithTransaction(req, res, await module.transactions.get(id))
}
