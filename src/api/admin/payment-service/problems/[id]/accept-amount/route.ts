import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { inReadersLanguage } from "../../../in-readers-language"
import { acceptPayment } from "../../accept-payment"

/** Accepts the paid sum instead of the one that was asked for. */
export const POST = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest, res: MedusaResponse) => {
    await acceptPayment(req, res, "accept_amount")
  }
)
