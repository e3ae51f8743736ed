import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"

/** The address to enter at the service, and every token that still works. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const callback_url = await module.callbackTokens.callbackUrl()
  const tokens = await module.listCallbackTokens({}, { order: { created_at: "DESC" }, take: 100 })
  res.json({
    callback_url,
    callback_tokens: tokens.map(({ id, source, created_at, replaced_at }) => ({
      id,
      source,
      created_at,
      replaced_at,
    })),
  })
}

/** Makes a new token, unless the options name it; addresses with the old one keep working until it is removed. */
export async function POST(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  await module.callbackTokens.replaceGenerated()
  res.json({ callback_url: await module.callbackTokens.callbackUrl() })
}
