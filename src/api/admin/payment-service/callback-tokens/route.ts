import {
  type Accounts,
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../../../modules/payment-service"
import { inReadersLanguage } from "../in-readers-language"

/** The address to enter at the service, and all tokens that still work, the newest first. */
export async function callbackAddress(module: PaymentServiceModuleService, accounts: Accounts) {
  const select = ["id", "source", "created_at", "replaced_at", "reached_at"]
  const latest = { select, order: { created_at: "DESC" }, take: 100 }
  return {
    callback_url: await module.callbackTokens.callbackUrl(accounts),
    callback_tokens: await module.listCallbackTokens({}, latest),
  }
}

export const GET = inReadersLanguage(async (req) => {
  const module = paymentServiceModule(req.scope)
  return await callbackAddress(module, await module.accounts())
})

/** Makes a new token, unless the options give one; addresses with the old one keep working until it is removed. */
export const POST = inReadersLanguage(async (req) => {
  const module = paymentServiceModule(req.scope)
  await module.callbackTokens.replaceGenerated()
  return { callback_url: await module.callbackTokens.callbackUrl(await module.accounts()) }
})
