import type { FetchError } from "@medusajs/js-sdk"
import { useQuery } from "@tanstack/react-query"

import { sdk } from "./sdk"

/** The operations of a role, by resource; the routes refuse all others. */
interface Operations {
  payment_service: "read" | "update" | "export"
  payment_service_payout: "read" | "create" | "approve"
}

/** The user's permissions, as `resource:operation`; null where Medusa's roles are switched off. */
async function readPermissions(): Promise<string[] | null> {
  try {
    const { permissions } = await sdk.client.fetch<{ permissions: string[] }>(
      "/admin/rbac/me/permissions"
    )
    return permissions
  } catch (error) {
    if ((error as Partial<FetchError>).status === 404) return null
    throw error
  }
}

/**
 * Whether the user may do this. Until that is known, nothing is offered; if it cannot be read, everything is, and the routes
 * decide.
 */
export function useMay<Resource extends keyof Operations = "payment_service">(
  operation: Operations[Resource],
  resource?: Resource
): boolean {
  const { data, isError } = useQuery({
    queryKey: ["payment_service_permissions"],
    queryFn: readPermissions,
    staleTime: 5 * 60_000,
    retry: false,
  })
  if (data === undefined) return isError
  return data === null || data.includes(`${resource ?? "payment_service"}:${operation}`)
}
