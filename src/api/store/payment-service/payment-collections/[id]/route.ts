import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { refusedPayment } from "../../../../../modules/payment-service/refused-deed"
import { findPaymentLink } from "../../payment-link"

/**
 * Tells the page of a payment link the sum to pay, because core lets a storefront create payment collections but not read them.
 * It reads only the store's own database, and shows nothing of the order but its number, the sum and the payment methods.
 */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const link = await findPaymentLink(req.scope, req.params.id ?? "")
  if (!link) throw refusedPayment("no_such_link")
  res.set("Cache-Control", "no-store").json({ payment_collection: link })
}
