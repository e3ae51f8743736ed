import { resolvePermissions } from "@medusajs/framework"
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"

/** Whether the roles of whoever asks allow to read customers; all may where Medusa's roles are switched off. */
export async function maySeeCustomers({
  auth_context: { app_metadata },
  scope,
}: Pick<AuthenticatedMedusaRequest, "auth_context" | "scope">): Promise<boolean> {
  const granted = await resolvePermissions({
    roles: (app_metadata as { roles?: string[] } | undefined)?.roles ?? [],
    universe: [{ resource: "customer", operation: "read" }],
    container: scope,
  })
  return granted.size > 0
}
