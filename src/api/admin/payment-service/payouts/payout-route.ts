import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import type { z } from "@medusajs/framework/zod"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { reasonOf } from "../../../../modules/payment-service/reason-of"
import { RefusedDeed } from "../../../../modules/payment-service/refused-deed"
import { PaymentServiceError } from "../../../../service/errors"
import { withoutCardNumbers } from "../../../../settlement/payouts/card-text"
import { text } from "../../../../texts"
import { lookAtPayout } from "../../../../workflows/payouts/lost-payouts"
import type { PayoutAdmin } from "../../../../workflows/payouts/rules"
import { type SettlePorts, settlePortsOf } from "../../../../workflows/ports"
import { inReadersLanguage, languageOf, type Route } from "../in-readers-language"
import { payoutViews, person } from "./payout-view"
import { readBody } from "./read-body"
import { actingReader, requireAdmin } from "./reader-of"

const LATEST_ENTRIES = { order: { at: "DESC", id: "DESC" }, take: 500 } as const

/**
 * A route about payouts. Any error but the plugin's own refusals is answered and logged as text without card numbers, because
 * core prints errors with all their fields.
 */
export const payoutRoute = <Query = Record<string, unknown>>(handle: Route<unknown, Query>) =>
  inReadersLanguage<unknown, Query>(async (req, res) => {
    try {
      await handle(req, res)
    } catch (error) {
      if (error instanceof RefusedDeed) throw error
      const { logger } = paymentServiceModule(req.scope)
      const detail = withoutCardNumbers(reasonOf(error))
      if (MedusaError.isMedusaError(error)) throw new MedusaError(error.type, detail, error.code)
      if (error instanceof PaymentServiceError) {
        throw new MedusaError(MedusaError.Types.NOT_ALLOWED, detail, error.kind)
      }
      logger.error(`Payment Service: a request about payouts failed: ${detail}`)
      const said = text("payoutAnswers", "store_failed")[languageOf(req)]
      throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, said)
    }
  })

/**
 * A route on which an admin does something with the payout of its address; it answers with that payout as it is then.
 */
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
  const entries = await module.listPayoutEntries({ payout_id: id }, LATEST_ENTRIES)
  const journal = entries.map(
    ({ by, by_name, id, at, kind, facts, address, forwarded_address }) => {
      return { id, at, kind, facts, by: person(by, by_name), address, forwarded_address }
    }
  )
  res.json({ payout, journal: journal.reverse() })
}
