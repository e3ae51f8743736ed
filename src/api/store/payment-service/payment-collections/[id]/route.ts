import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { findPaymentLink } from "../../payment-link"

/**
 * The page of a payment link asks what is to be paid, because core lets a storefront create payment collections but not read
 * one. It reads the store's own database only, and tells nothing of the order but its number, the sum and the ways to pay.
 */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const link = await findPaymentLink(req.scope, req.params.id ?? "")
  if (!link) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, "There is no such payment link.")
  }
  res.set("Cache-Control", "no-store").json({ payment_collection: link })
}
