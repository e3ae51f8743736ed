import { resolvePermissions } from "@medusajs/framework"
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"

import { findAdmin } from "../../../../medusa/users"
import { type Accounts, paymentServiceModule } from "../../../../modules/payment-service"
import { plainAddress } from "../../../../modules/payment-service/keys"
import { PAYOUTS } from "../../../../policies/payment-service"
import { PayoutRefused } from "../../../../workflows/payouts/refused"
import { barOf, type PayoutAdmin } from "../../../../workflows/payouts/rules"

const OPERATIONS = ["read", "create", "approve"] as const
type PayoutOperation = (typeof OPERATIONS)[number]

/** The signed-in admin of the request, or null for an API key. */
export async function adminOf(req: AuthenticatedMedusaRequest): Promise<PayoutAdmin | null> {
  const { actor_type, actor_id } = req.auth_context
  if (actor_type !== "user" || !actor_id) return null
  const admin = await findAdmin(req.scope, actor_id)
  return admin && { ...admin, ...addressesOf(req) }
}

/** @throws PayoutRefused for an API key, because only a person may do anything about money; a key reads */
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
  const { clock } = paymentServiceModule(req.scope)
  return admin && barOf(accounts, admin, clock.now()) === null ? admin.id : null
}

/** Express takes `ip` from `X-Forwarded-For`, which whoever asks may have written, unless a proxy overwrites it. */
function addressesOf({ ip, socket }: AuthenticatedMedusaRequest) {
  const [address, said] = [socket.remoteAddress, ip].map((one) => (one ? plainAddress(one) : null))
  return { address: address ?? null, forwardedAddress: said !== address ? (said ?? null) : null }
}

/**
 * Lists the operations on payouts that the roles of the asking user allow: all of them where the store has Medusa's roles
 * (`rbac`) switched off.
 */
export async function grantedOfPayouts({
  auth_context: { app_metadata },
  scope,
}: AuthenticatedMedusaRequest): Promise<ReadonlySet<PayoutOperation>> {
  const granted = await resolvePermissions({
    roles: (app_metadata as { roles?: string[] } | undefined)?.roles ?? [],
    universe: OPERATIONS.map((operation) => ({ resource: PAYOUTS, operation })),
    container: scope,
  })
  return new Set(OPERATIONS.filter((operation) => granted.has(`${PAYOUTS}:${operation}`)))
}
