import { resolvePermissions } from "@medusajs/framework"
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { PAYOUTS } from "../../../../policies/payment-service"

const OPERATIONS = ["read", "create", "approve"] as const
type PayoutOperation = (typeof OPERATIONS)[number]

/**
 * Lists the operations on payouts that the roles of the asking user allow: all of them where the store has Medusa's roles
 * (`rbac`) switched off. Some routes need it, because the policies in `api/middlewares.ts` must all be granted.
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

/**
 * Checks the right to send where the store has Medusa's roles (`rbac`) switched on. An admin who may make payouts may send any;
 * one who may approve them may send those they have approved, because the approver types the card number.
 *
 * @throws MedusaError `FORBIDDEN`, as Medusa's own routes do
 */
export async function requireMaySend(req: AuthenticatedMedusaRequest): Promise<void> {
  const granted = await grantedOfPayouts(req)
  if (granted.has("create")) return
  if (granted.has("approve") && (await approverOf(req)) === req.auth_context.actor_id) return
  throw new MedusaError(
    MedusaError.Types.FORBIDDEN,
    `Insufficient permissions. Required policies: ${PAYOUTS}:create, or ${PAYOUTS}:approve for a payout that you have approved`
  )
}

async function approverOf({ scope, params }: AuthenticatedMedusaRequest): Promise<string | null> {
  try {
    const { approved_by } = await paymentServiceModule(scope).payouts.get(params.id ?? "")
    return approved_by
  } catch (error) {
    // An admin without the right to send must not learn whether the payout exists.
    if (MedusaError.isMedusaError(error) && error.type === MedusaError.Types.NOT_FOUND) return null
    throw error
  }
}
