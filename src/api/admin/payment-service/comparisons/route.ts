import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { compareNow } from "../../../../workflows/reconciliation/reconcile"
import { inReadersLanguage } from "../in-readers-language"
import { merchantsOf } from "../service-transactions/merchant-of"
import { comparisonViews } from "./comparison-view"
import type { AccountBody, PageQuery } from "../query-fields"

/** Lists comparisons with the service's records, the latest first. They are kept for 90 days. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { limit, offset } = req.validatedQuery as PageQuery
  const list = await comparisonViews(paymentServiceModule(req.scope), { limit, offset })
  res.json({ ...list, limit, offset })
}

/** Begins a comparison without waiting for its end; `GET` shows its progress. */
export const POST = inReadersLanguage<AccountBody>(async (req, res) => {
  const accounts = await paymentServiceModule(req.scope).accounts()
  const { account } = req.validatedBody
  const begun = await compareNow(req.scope, accounts, merchantsOf(accounts, account))
  res.status(202).json({
    begun: begun.map(({ merchant: { merchantId, baseUrl }, span: { from, to } }) => ({
      merchant_id: merchantId,
      base_url: baseUrl,
      from,
      to,
    })),
  })
})
