import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { acceptPayment } from "../../accept-payment"

/** Takes what was paid instead of what was asked for. */
export async function POST(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  await acceptPayment(req, res, "accept_amount")
}
