import {
  type Accounts,
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../../../modules/payment-service"
import { inReadersLanguage } from "../in-readers-language"

const LATEST = {
  select: ["id", "source", "created_at", "replaced_at", "reached_at"],
  order: { created_at: "DESC" },
  take: 100,
}

/** The address to enter at the service, and all tokens that still work, the newest first. */
export async function callbackAddress(module: PaymentServiceModuleService, accounts: Accounts) {
  return {
    callback_url: await module.callbackTokens.callbackUrl(accounts),
    callback_tokens: await module.listCallbackTokens({}, LATEST),
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
