import { isIP } from "node:net"

import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { z } from "@medusajs/framework/zod"

import { isStorable } from "../../../../database/sql"
import { findAdmin } from "../../../../medusa/search"
import {
  type Accounts,
  paymentServiceModule,
  type PayoutRow,
} from "../../../../modules/payment-service"
import { settlePortsOf } from "../../../../payments"
import {
  type Acting,
  actingAs,
  barOf,
  type PayoutAdmin,
  PayoutRefused,
  payoutViews,
} from "../../../../payouts"
import { withoutCardNumbers } from "../../../../payouts/rules/card-text"
import { PAYOUTS } from "../../../../policies/payment-service"
import { WHOLE_UUID } from "../../../../service/schemas"
import { plainAddress } from "../../../../settings"
import { text } from "../../../../texts"
import { grantedOf } from "../granted"
import { type Asked, inReadersLanguage } from "../in-readers-language"
import { readBody } from "../../../read-body"

/** A route about payouts. After a failure of the store itself a person looks before they try again, because money may have gone. */
export const payoutRoute = <Answer, Query = Record<string, unknown>>(
  answer: (req: Asked<unknown, Query>) => Promise<Answer>
) => inReadersLanguage<unknown, Query, Answer>(answer, text("payoutAnswers", "store_failed"))

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
  const row = await paymentServiceModule(req.scope).payouts.get(id)
  const [payout] = await payoutsFor(req, [row])
  return payout
}

/** Payouts as this admin sees them. */
export async function payoutsFor(req: AuthenticatedMedusaRequest, rows: PayoutRow[]) {
  const accounts = await paymentServiceModule(req.scope).accounts()
  const reader = await actingReader(req, accounts)
  return await payoutViews(req.scope, rows, { accounts, reader })
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

const words = (most: number) => z.string().trim().max(most).refine(isStorable, "must be a text")
const id = words(100)
  .min(1)
  .refine((value) => withoutCardNumbers(value) === value, "must be an id")
  .nullable()
  .default(null)
const card_id = words(100).regex(WHOLE_UUID, "must be the id of a saved card").nullable()
/** A card number, where the card is typed. */
const card_number = words(64)
  .nullable()
  .transform((typed) => typed || null)
  .default(null)
const note = words(2_000)
  .nullable()
  .transform((written) => written || null)
const amount = z.number()
// An admin decides only about a payout as they saw it, which these numbers tell.
const revision = z.number({ error: "must be the payout's revision that was seen" })
const attempts = z.number({ error: "must be the payout's attempts that were seen" })
/** Scripts may send it, and it changes nothing: the dashboard asks about a second payout of a kind, and no route does. */
const confirm_similar = z.boolean().optional()

/** The bodies of the routes about payouts. */
export const PAYOUT_BODIES = {
  make: z.strictObject({
    card_id: card_id.default(null),
    card_number,
    amount,
    note: note.default(null),
    order_id: id,
    problem_id: id,
    account: id,
    confirm_similar,
  }),
  edit: z.strictObject({
    card_id: card_id.optional(),
    card_number,
    amount: amount.optional(),
    note: note.optional(),
    revision: revision.optional(),
    confirm_similar,
  }),
  approve: z.strictObject({ revision, card_number }),
  send: z.strictObject({
    card_number,
    again: z.boolean().default(false),
    confirm_similar,
    revision,
  }),
  mark: z.strictObject({
    sent: z.boolean(),
    note: words(2_000).min(1, "must say what was found"),
    attempts,
  }),
  stop: z.strictObject({ stopped: z.boolean() }),
}
