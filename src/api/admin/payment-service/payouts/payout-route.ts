import { isIP } from "node:net"

import { z } from "@medusajs/framework/zod"

import { isStorable } from "../../../../database/sql"
import { findAdmin } from "../../../../medusa/search"
import { paymentServiceModule } from "../../../../modules/payment-service"
import type { Accounts, PayoutRow } from "../../../../modules/payment-service"
import { settlePortsOf } from "../../../../payments"
import { type Acting, actingAs, barOf, payoutViews } from "../../../../payouts"
import { withoutCardNumbers } from "../../../../payouts/rules/card-text"
import { PAYOUTS } from "../../../../policies/payment-service"
import { WHOLE_UUID } from "../../../../service/schemas"
import { plainAddress } from "../../../../settings"
import { text } from "../../../../texts"
import { type Asked, grantedOf, inReadersLanguage } from "../in-readers-language"
import { readBody } from "../../../read-body"

/** A route about payouts. After a failure of the store itself a person looks before they try again, because money may have gone. */
export const payoutRoute = <Answer, Query = Record<string, unknown>>(
  answer: Parameters<typeof inReadersLanguage<unknown, Query, Answer>>[0]
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
export async function payoutNow(req: Asked, id = req.params.id ?? "") {
  const row = await paymentServiceModule(req.scope).payouts.get(id)
  const [payout] = await payoutsFor(req, [row])
  return payout
}

export async function payoutsFor(req: Asked, rows: PayoutRow[]) {
  const accounts = await paymentServiceModule(req.scope).accounts()
  return await payoutViews(req.scope, rows, { accounts, reader: await actingReader(req, accounts) })
}

/** The signed-in admin of the request with their addresses, or null for an API key. */
export async function adminOf({ auth_context, scope, socket, ip }: Asked) {
  const { actor_type, actor_id } = auth_context
  const admin = actor_type === "user" && actor_id ? await findAdmin(scope, actor_id) : null
  const address = socket.remoteAddress ? plainAddress(socket.remoteAddress) : null
  // Express takes `ip` from `X-Forwarded-For`, which whoever asks may have written, unless a proxy overwrites it.
  const said = ip ? plainAddress(ip) : ""
  const forwardedAddress = said !== address && isIP(said) ? said : null
  return admin && { ...admin, address, forwardedAddress }
}

export const actingOf = async (req: Asked) =>
  await actingAs(await adminOf(req), settlePortsOf(req.scope))

/** The reader's id if they may act, else null; only an acting reader learns the possible actions. */
export async function actingReader(req: Asked, accounts: Accounts) {
  const admin = await adminOf(req)
  const { clock } = paymentServiceModule(req.scope)
  return admin && barOf(accounts, admin, clock.now()) === null ? admin.id : null
}

export const grantedOfPayouts = async (req: Asked) =>
  await grantedOf(req, PAYOUTS, ["read", "create", "approve"])

const words = (most: number) => z.string().trim().max(most).refine(isStorable, "must be a text")
const id = words(100)
  .min(1)
  .refine((value) => withoutCardNumbers(value) === value, "must be an id")
  .nullable()
  .default(null)
const card_id = words(100).regex(WHOLE_UUID, "must be the id of a saved card").nullable()
const wordsOrNull = (most: number) =>
  words(most)
    .nullable()
    .transform((written) => written || null)
const card_number = wordsOrNull(64).default(null)
const note = wordsOrNull(2_000)
// An admin decides only about a payout as they saw it, which `revision` and `attempts` tell.
const revision = z.number({ error: "must be the payout's revision that was seen" })
/** Scripts may send it, and it changes nothing: the dashboard asks about a second payout of a kind, and no route does. */
const confirm_similar = z.boolean().optional()

export const PAYOUT_BODIES = {
  make: z.strictObject({
    card_id: card_id.default(null),
    card_number,
    amount: z.number(),
    note: note.default(null),
    order_id: id,
    problem_id: id,
    account: id,
    confirm_similar,
  }),
  edit: z.strictObject({
    card_id: card_id.optional(),
    card_number,
    amount: z.number().optional(),
    note: note.optional(),
    revision,
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
    attempts: z.number({ error: "must be the payout's attempts that were seen" }),
  }),
  stop: z.strictObject({ stopped: z.boolean() }),
}
