import { isIP } from "node:net"

import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import type { z } from "@medusajs/framework/zod"

import { findAdmin } from "../../../../medusa/users"
import { type Accounts, paymentServiceModule } from "../../../../modules/payment-service"
import { settlePortsOf } from "../../../../payments"
import {
  type Acting,
  actingAs,
  barOf,
  lookAtPayout,
  type PayoutAdmin,
  PayoutRefused,
  payoutViews,
} from "../../../../payouts"
import { withoutCardNumbers } from "../../../../payouts/rules/card-text"
import { PAYOUTS } from "../../../../policies/payment-service"
import { reasonOf } from "../../../../refusals/reason-of"
import { RefusedAction } from "../../../../refusals/refused"
import { PaymentServiceError } from "../../../../service/errors"
import { plainAddress } from "../../../../settings"
import { text } from "../../../../texts"
import { grantedOf } from "../granted"
import { type Asked, inReadersLanguage, languageOf } from "../in-readers-language"
import { readBody } from "../../../read-body"

/**
 * A route about payouts. Any error but the plugin's own refusals is answered and logged as text without card numbers, because
 * core prints errors with all their fields.
 */
export const payoutRoute = <Answer, Query = Record<string, unknown>>(
  answer: (req: Asked<unknown, Query>) => Promise<Answer>
) =>
  inReadersLanguage<unknown, Query, Answer>(async (req) => {
    try {
      return await answer(req)
    } catch (error) {
      if (error instanceof RefusedAction) throw error
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

/** A route on which an admin does something with the payout of its address; it answers with that payout as it is then. */
export const payoutAction = <Body extends z.ZodType>(
  schema: Body,
  act: (acting: Acting, id: string, body: z.output<Body>) => Promise<void>
) =>
  payoutRoute(async (req) => {
    const body = await readBody(req, schema)
    await act(await actingOf(req), req.params.id ?? "", body)
    return { payout: await payoutNow(req) }
  })

/** A payout as it is now, and as this admin sees it: the one of the address, or another. */
export async function payoutNow(req: AuthenticatedMedusaRequest, id = req.params.id ?? "") {
  const module = paymentServiceModule(req.scope)
  const row = await lookAtPayout(settlePortsOf(req.scope), id)
  const accounts = await module.accounts()
  const reader = await actingReader(req, accounts)
  const [payout] = await payoutViews(req.scope, [row], { accounts, reader })
  return payout
}

const OPERATIONS = ["read", "create", "approve"] as const

/** The signed-in admin of the request, or null for an API key. */
export async function adminOf(req: AuthenticatedMedusaRequest): Promise<PayoutAdmin | null> {
  const { actor_type, actor_id } = req.auth_context
  if (actor_type !== "user" || !actor_id) return null
  const admin = await findAdmin(req.scope, actor_id)
  return admin && { ...admin, ...addressesOf(req) }
}

/** @throws PayoutRefused for an API key, because only a person may do anything about money; a key reads */
export async function actingOf(req: AuthenticatedMedusaRequest): Promise<Acting> {
  const admin = await adminOf(req)
  if (!admin) throw new PayoutRefused("not_signed_in")
  return await actingAs(admin, settlePortsOf(req.scope))
}

/** The reader's id if they may act, else null; only an acting reader learns the possible actions. */
export async function actingReader(
  req: AuthenticatedMedusaRequest,
  accounts: Accounts
): Promise<string | null> {
  const admin = await adminOf(req)
  const { clock } = paymentServiceModule(req.scope)
  return admin && barOf(accounts, admin, clock.now()) === null ? admin.id : null
}

/** Express takes `ip` from `X-Forwarded-For`, which whoever asks may have written, unless a proxy overwrites it. */
function addressesOf({ ip, socket }: AuthenticatedMedusaRequest) {
  const [address, said] = [socket.remoteAddress, ip].map((one) => (one ? plainAddress(one) : ""))
  const isOther = said !== address && isIP(said ?? "") !== 0
  return { address: address || null, forwardedAddress: isOther ? (said ?? null) : null }
}

/** The operations on payouts that the roles of the asking user allow. */
export const grantedOfPayouts = async (req: AuthenticatedMedusaRequest) =>
  await grantedOf(req, PAYOUTS, OPERATIONS)
