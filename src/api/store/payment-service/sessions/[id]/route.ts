import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../../modules/payment-service"
import { payerView, queueOf } from "../../../../../payments"
import { shouldReadForPoll } from "../../../../../payments/rules/timing"
import { refusedPayment } from "../../../../../refusals/refused"

/** The storefront polls this, by the session that it began or by the return id. It is settled after the answer: no poll waits for that. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const cameAt = module.clock.now()
  const { id = "" } = req.params
  const row = await module.findForPayer(id)
  if (!row) throw refusedPayment("no_such_payment")
  const named = (name: string) => {
    const value = req.query[name]
    return typeof value === "string" ? value : null
  }
  const asker = { id, cartId: named("cart_id"), collectionId: named("payment_collection_id") }
  res.set("Cache-Control", "no-store").json({ session: payerView(row, asker, cameAt) })

  if (shouldReadForPoll(row, cameAt)) queueOf(module).settleSoon([row], { isDue: false })
}
