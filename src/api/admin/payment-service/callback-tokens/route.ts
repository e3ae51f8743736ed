import type { PaymentServiceModuleService as Module } from "../../../../modules/payment-service"
import { type Asked, inReadersLanguage } from "../in-readers-language"

/** The address to enter at the service; null for an API key, because callbacks are let in by the token in it. */
async function callbackUrl({ auth_context }: Asked, module: Module) {
  if (auth_context.actor_type !== "user") return null
  return await module.callbackTokens.callbackUrl(await module.accounts())
}

export async function callbackAddress(req: Asked, module: Module) {
  const select = ["id", "source", "created_at", "replaced_at", "reached_at"]
  const latest = { select, order: { created_at: "DESC" }, take: 100 }
  return {
    callback_url: await callbackUrl(req, module),
    callback_tokens: await module.listCallbackTokens({}, latest),
  }
}

export const GET = inReadersLanguage(callbackAddress)

/** Makes a new token, unless the options give one; addresses with the old one keep working until it is removed. */
export const POST = inReadersLanguage(async (req: Asked, module) => {
  await module.callbackTokens.replaceGenerated()
  return { callback_url: await callbackUrl(req, module) }
})
