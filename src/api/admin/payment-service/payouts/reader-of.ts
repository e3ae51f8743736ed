import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"

import { findAdmin } from "../../../../medusa/users"
import type { Accounts } from "../../../../modules/payment-service"
import { PayoutRefused } from "../../../../workflows/payouts/refused"
import { mayAct, type PayoutAdmin } from "../../../../workflows/payouts/rules"

/** The signed-in admin who asks, or null for an API key. */
export async function adminOf(req: AuthenticatedMedusaRequest): Promise<PayoutAdmin | null> {
  const { actor_type, actor_id } = req.auth_context
  if (actor_type !== "user" || !actor_id) return null
  const admin = await findAdmin(req.scope, actor_id)
  return admin && { ...admin, address: req.ip ?? req.socket.remoteAddress ?? null }
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
