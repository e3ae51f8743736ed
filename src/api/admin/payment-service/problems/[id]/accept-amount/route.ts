import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { acceptPayment } from "../../accept-payment"

/** Accepts the paid sum instead of the one that was asked for. */
export async function POST(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  await acceptPayment(req, res, "accept_amount")
}
