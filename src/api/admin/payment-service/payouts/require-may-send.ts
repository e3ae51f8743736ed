import { resolvePermissions } from "@medusajs/framework"
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { PAYOUTS } from "../../../../policies/payment-service"

const CREATE = `${PAYOUTS}:create`
const APPROVE = `${PAYOUTS}:approve`

/**
 * Where the store has Medusa's roles (`rbac`) switched on, a payout is sent by who may make payouts, and by who may
 * approve them, if they have approved this very one: a typed number is typed by the approver. One policy or the other
 * cannot be said in `api/middlewares.ts`, which asks for all that it names.
 *
 * @throws MedusaError `FORBIDDEN`, as Medusa's own routes do
 */
export async function requireMaySend(req: AuthenticatedMedusaRequest): Promise<void> {
  const { actor_id, app_metadata } = req.auth_context
  const granted = await resolvePermissions({
    roles: (app_metadata as { roles?: string[] } | undefined)?.roles ?? [],
    universe: ["create", "approve"].map((operation) => ({ resource: PAYOUTS, operation })),
    container: req.scope,
  })
  if (granted.has(CREATE)) return
  if (granted.has(APPROVE) && (await approverOf(req)) === actor_id) return
  throw new MedusaError(
    MedusaError.Types.FORBIDDEN,
    `Insufficient permissions. Required policies: ${CREATE}, or ${APPROVE} for a payout that you have approved`
  )
}

async function approverOf({ scope, params }: AuthenticatedMedusaRequest): Promise<string | null> {
  try {
    const { approved_by } = await paymentServiceModule(scope).payouts.get(params.id ?? "")
    return approved_by
  } catch (error) {
    // To somebody who may not send it, a payout that is not there is like any other.
    if (MedusaError.isMedusaError(error) && error.type === MedusaError.Types.NOT_FOUND) return null
    throw error
  }
}
