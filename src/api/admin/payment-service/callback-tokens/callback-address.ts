import type { Accounts, PaymentServiceModuleService } from "../../../../modules/payment-service"

const MOST_TOKENS = 100

/** The address to enter at the service, and all tokens that still work, the newest first. */
export async function callbackAddress(module: PaymentServiceModuleService, accounts: Accounts) {
  const callback_url = await module.callbackTokens.callbackUrl(accounts)
  const latest = { order: { created_at: "DESC" as const }, take: MOST_TOKENS }
  const tokens = await module.listCallbackTokens({}, latest)
  return {
    callback_url,
    callback_tokens: tokens.map(({ id, source, created_at, replaced_at, reached_at }) => ({
      id,
      source,
      created_at,
      replaced_at,
      reached_at,
    })),
  }
}
