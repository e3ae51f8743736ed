import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { inReadersLanguage } from "../../../in-readers-language"
import { acceptPayment } from "../../accept-payment"

/** Accepts the payment for the cart as it is now, or for a new order like the canceled one. */
export const POST = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest, res: MedusaResponse) => {
    await acceptPayment(req, res, "place_order")
  }
)
