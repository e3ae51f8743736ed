import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"

import { findAdmin, findKeyMaker } from "../../../../medusa/users"
import type { Accounts } from "../../../../modules/payment-service"
import { plainAddress } from "../../../../modules/payment-service/network-of"
import { PayoutRefused } from "../../../../workflows/payouts/refused"
import { mayAct, type PayoutAdmin } from "../../../../workflows/payouts/rules"

/** The signed-in admin of the request, or null for an API key. */
export async function adminOf(req: AuthenticatedMedusaRequest): Promise<PayoutAdmin | null> {
  const { actor_type, actor_id } = req.auth_context
  if (actor_type !== "user" || !actor_id) return null
  const admin = await findAdmin(req.scope, actor_id)
  return admin && { ...admin, address: addressOf(req) }
}

/**
 * The admin who makes, changes or discards a draft. A script with a secret API key counts as the admin who made the key: they
 * cannot approve its draft, and it uses up their limit.
 *
 * @throws PayoutRefused when no admin is known
 */
export async function requireMaker(req: AuthenticatedMedusaRequest): Promise<PayoutAdmin> {
  const { actor_type, actor_id } = req.auth_context
  if (actor_type !== "api-key") return await requireAdmin(req)
  const made = await findKeyMaker(req.scope, actor_id)
  if (!made) throw new PayoutRefused("not_signed_in")
  const { title, admin } = made
  return { ...admin, name: `${admin.name} (${title})`, address: addressOf(req) }
}

/** @throws PayoutRefused for an API key, because only a person may move money */
export async function requireAdmin(req: AuthenticatedMedusaRequest): Promise<PayoutAdmin> {
  const admin = await adminOf(req)
  if (!admin) throw new PayoutRefused("not_signed_in")
  return admin
}

/** The reader's id if they may act, else null; only an acting reader learns the possible deeds. */
export async function actingReader(
  req: AuthenticatedMedusaRequest,
  accounts: Accounts
): Promise<string | null> {
  const admin = await adminOf(req)
  return admin && mayAct(accounts, admin) ? admin.id : null
}

function addressOf(req: AuthenticatedMedusaRequest): string | null {
  const address = req.ip ?? req.socket.remoteAddress
  return address ? plainAddress(address) : null
}
