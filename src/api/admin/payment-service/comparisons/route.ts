import { paymentServiceModule } from "../../../../modules/payment-service"
import { compareNow } from "../../../../reconciliation"
import { type Asked, inReadersLanguage } from "../in-readers-language"
import { merchantsOf } from "../merchants"
import type { BodyOf, QueryOf } from "../validators"
import { comparisonViews } from "./comparison-view"

/** Lists comparisons with the service's records, the latest first. They are kept for 90 days. */
export const GET = inReadersLanguage(async (req: Asked<unknown, QueryOf<"comparisons">>) => {
  const { limit, offset } = req.validatedQuery
  const list = await comparisonViews(paymentServiceModule(req.scope), { limit, offset })
  return { ...list, limit, offset }
})

/** Begins a comparison without waiting for its end; `GET` shows its progress. */
export const POST = inReadersLanguage(async (req: Asked<BodyOf<"comparisons">>, res) => {
  const accounts = await paymentServiceModule(req.scope).accounts()
  const merchants = merchantsOf(accounts, req.validatedBody.account)
  const begun = await compareNow(req.scope, accounts, merchants)
  const { from, to } = begun.span
  res.status(202)
  return {
    begun: begun.merchants.map(({ merchantId, baseUrl }) => {
      return { merchant_id: merchantId, base_url: baseUrl, from, to }
    }),
  }
})
