import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"

import { findAdmin, findKeyMaker } from "../../../../medusa/users"
import type { Accounts } from "../../../../modules/payment-service"
import { PayoutRefused } from "../../../../workflows/payouts/refused"
import { mayAct, type PayoutAdmin } from "../../../../workflows/payouts/rules"

/** The signed-in admin who asks, or null for an API key. */
export async function adminOf(req: AuthenticatedMedusaRequest): Promise<PayoutAdmin | null> {
  const { actor_type, actor_id } = req.auth_context
  if (actor_type !== "user" || !actor_id) return null
  const admin = await findAdmin(req.scope, actor_id)
  return admin && { ...admin, address: addressOf(req) }
}

/**
 * The admin who makes, changes or discards a draft. A script with a secret API key counts as the admin who made
 * the key: they cannot approve its draft, and it takes of their limit.
 *
 * @throws PayoutRefused when nobody can be told
 */
export async function requireMaker(req: AuthenticatedMedusaRequest): Promise<PayoutAdmin> {
  const { actor_type, actor_id } = req.auth_context
  if (actor_type !== "api-key") return await requireAdmin(req)
  const made = await findKeyMaker(req.scope, actor_id)
  if (!made) throw new PayoutRefused("not_signed_in")
  const { title, admin } = made
  return { ...admin, name: `${admin.name} (${title})`, address: addressOf(req) }
}

/** @throws PayoutRefused for an API key: money moves only at the word of a person */
export async function requireAdmin(req: AuthenticatedMedusaRequest): Promise<PayoutAdmin> {
  const admin = await adminOf(req)
  if (!admin) throw new PayoutRefused("not_signed_in")
  return admin
}

/** The id of whoever asks, if they may act; what may be done is told to nobody else. */
export async function actingReader(
  req: AuthenticatedMedusaRequest,
  accounts: Accounts
): Promise<string | null> {
  const admin = await adminOf(req)
  return admin && mayAct(accounts, admin) ? admin.id : null
}

function addressOf(req: AuthenticatedMedusaRequest): string | null {
  return req.ip ?? req.socket.remoteAddress ?? null
}
