import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { lookAtPayout } from "../../../../workflows/payouts/lost-payouts"
import { settlePortsOf } from "../../../../workflows/ports"
import { payoutViews, person } from "./payout-view"
import { actingReader } from "./reader-of"

/** Answers with a payout as it is now. */
export async function answerWithPayout(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse,
  { id = req.params.id ?? "", withJournal = false } = {}
): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const row = await lookAtPayout(settlePortsOf(req.scope), id)
  const accounts = await module.accounts()
  const reader = await actingReader(req, accounts)
  const [payout] = await payoutViews(req.scope, [row], { accounts, reader })
  if (!withJournal) {
    res.json({ payout })
    return
  }
  const entries = await module.payouts.journalOf(id)
  res.json({
    payout,
    journal: entries.map(({ by, by_name, ...entry }) => ({ ...entry, by: person(by, by_name) })),
  })
}
