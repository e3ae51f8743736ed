import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { acceptPayment } from "../../accept-payment"

/** Accepts the payment for the cart as it is now, or for a new order like the canceled one. */
export async function POST(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  await acceptPayment(req, res, "place_order")
}
