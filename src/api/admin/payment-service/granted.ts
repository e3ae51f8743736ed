import { resolvePermissions } from "@medusajs/framework"
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"

import { findCustomers } from "../../../medusa/search"

/**
 * The operations on a resource that the roles of the asking user allow: all of them where the store has Medusa's roles (`rbac`)
 * switched off.
 */
export async function grantedOf<Operation extends string>(
  {
    auth_context: { app_metadata },
    scope,
  }: Pick<AuthenticatedMedusaRequest, "auth_context" | "scope">,
  resource: string,
  operations: readonly Operation[]
): Promise<ReadonlySet<Operation>> {
  const granted = await resolvePermissions({
    roles: (app_metadata as { roles?: string[] } | undefined)?.roles ?? [],
    universe: operations.map((operation) => ({ resource, operation })),
    container: scope,
  })
  return new Set(operations.filter((operation) => granted.has(`${resource}:${operation}`)))
}

/** Whether the asking user may read customers in Medusa. */
export const maySeeCustomers = async (req: Parameters<typeof grantedOf>[0]) =>
  (await grantedOf(req, "customer", ["read"])).size > 0

/** The customers of these ids, as far as the asking user may read them. */
export const customersFor = async (
  req: Parameters<typeof grantedOf>[0],
  ids: Parameters<typeof findCustomers>[1]
) => await findCustomers(req.scope, (await maySeeCustomers(req)) ? ids : [])
