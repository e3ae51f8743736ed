import { resolvePermissions } from "@medusajs/framework"
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"

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
