import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { z } from "@medusajs/framework/zod"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { lookAtPayout } from "../../../../workflows/payouts/lost-payouts"
import type { PayoutAdmin } from "../../../../workflows/payouts/rules"
import { type SettlePorts, settlePortsOf } from "../../../../workflows/ports"
import { payoutRoute } from "./payout-route"
import { payoutViews, person } from "./payout-view"
import { readBody } from "./read-body"
import { actingReader, requireAdmin } from "./reader-of"

/** A route on which an admin does something with the payout of its address; it answers with that payout as it is then. */
export const payoutDeed = <Body extends z.ZodType>(
  schema: Body,
  act: (ports: SettlePorts, id: string, body: z.output<Body>, admin: PayoutAdmin) => Promise<void>
) =>
  payoutRoute(async (req, res) => {
    const body = await readBody(req, schema)
    const admin = await requireAdmin(req)
    await act(settlePortsOf(req.scope), req.params.id ?? "", body, admin)
    await answerWithPayout(req, res)
  })

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
