import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { inReadersLanguage } from "../in-readers-language"
import { callbackAddress } from "./callback-address"

export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  res.json(await callbackAddress(module, await module.accounts()))
}

/** Makes a new token, unless the options give one; addresses with the old one keep working until it is removed. */
export const POST = inReadersLanguage(async (req, res) => {
  const module = paymentServiceModule(req.scope)
  await module.callbackTokens.replaceGenerated()
  res.json({ callback_url: await module.callbackTokens.callbackUrl(await module.accounts()) })
})
