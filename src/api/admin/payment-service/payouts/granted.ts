import { resolvePermissions } from "@medusajs/framework"
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"

import { PAYOUTS } from "../../../../policies/payment-service"

const OPERATIONS = ["read", "create", "approve"] as const
type PayoutOperation = (typeof OPERATIONS)[number]

/**
 * What the roles of whoever asks allow about payouts: everything where the store has Medusa's roles (`rbac`) switched
 * off. For routes of which the policies in `api/middlewares.ts`, which must all be granted, cannot say enough.
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
